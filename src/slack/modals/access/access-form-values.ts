import type { ViewOutput } from '@slack/bolt';
import { everyone, toGranteeKind } from '../../../auth/grants/grantee.ts';
import type { RawInput } from '../../../operations/define/arguments/raw-input.ts';
import { actionIds } from '../../blocks/elements/action-ids.ts';
import { accessActionIds, accessFields } from './access-ids.ts';

type Values = ViewOutput['state']['values'];

/** Converts the values of the grant form to the input of its operation. */
export function parseGrantForm(values: Values): RawInput {
  const people = values[accessFields.people]?.[actionIds.value]?.selected_users ?? [];
  const groups = values[accessFields.groups]?.[accessActionIds.groups]?.selected_options ?? [];
  const isForEveryone = (values[accessFields.everyone]?.[actionIds.value]?.selected_options ?? []).length > 0;
  const who = [...people, ...groups.map(({ value }) => value), ...(isForEveryone ? [everyone] : [])];
  const vps = values[accessFields.vps]?.[actionIds.value]?.value ?? '';
  return {
    ...(who.length > 0 && { who: who.join(' ') }),
    right: parseRight(values),
    ...(vps.trim() !== '' && { vps }),
  };
}

/** Converts the values of the channel limit form to the input of its operation. */
export function parseLimitForm(values: Values): RawInput {
  const channel = values[accessFields.channel]?.[actionIds.value]?.selected_conversation;
  return { ...(channel && { channel }), right: parseRight(values) };
}

function parseRight(values: Values): string {
  return values[accessFields.right]?.[actionIds.value]?.selected_option?.value ?? '';
}

interface GrantProblem {
  readonly path: string;
  readonly grantee?: string;
  readonly message: string;
}

/** Returns errors by block ID, as Slack needs them. Each field gets its first problem. */
export function toGrantErrors(problems: readonly GrantProblem[]): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, grantee, message } of problems) {
    // If a field has several values, the path consists of the field's name and an index.
    const [name = ''] = path.split('.');
    const field = name === 'who' ? toGranteeField(grantee) : name;
    errors[field] ??= `${message}.`;
  }
  return errors;
}

function toGranteeField(grantee: string | undefined): string {
  return grantee !== undefined && toGranteeKind(grantee) === 'group'
    ? accessFields.groups
    : accessFields.people;
}
