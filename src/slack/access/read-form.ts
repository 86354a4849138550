import type { ViewOutput } from '@slack/bolt';
import type { RawInput } from '../../operations/outcome.ts';
import { everyone, kindOf } from '../../workspaces/rights/grantee.ts';
import { accessActions, fields, valueAction } from './ids.ts';

type Values = ViewOutput['state']['values'];

/** Reads a grant that was filled in, as the input of its operation. */
export function readGrant(values: Values): RawInput {
  const people = values[fields.people]?.[valueAction]?.selected_users ?? [];
  const groups = values[fields.groups]?.[accessActions.groups]?.selected_options ?? [];
  const isForEveryone = (values[fields.everyone]?.[valueAction]?.selected_options ?? []).length > 0;
  const who = [...people, ...groups.map(({ value }) => value), ...(isForEveryone ? [everyone] : [])];
  const vps = values[fields.vps]?.[valueAction]?.value ?? '';
  return {
    ...(who.length > 0 && { who: who.join(' ') }),
    right: rightIn(values),
    ...(vps.trim() !== '' && { vps }),
  };
}

/** Reads a limit that was filled in, as the input of its operation. */
export function readLimit(values: Values): RawInput {
  const channel = values[fields.channel]?.[valueAction]?.selected_conversation;
  return { ...(channel && { channel }), right: rightIn(values) };
}

function rightIn(values: Values): string {
  return values[fields.right]?.[valueAction]?.selected_option?.value ?? '';
}

interface Wrong {
  readonly path: string;
  readonly grantee?: string;
  readonly message: string;
}

/** Puts what is wrong beside the fields, the first of each. */
export function grantErrors(problems: readonly Wrong[]): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, grantee, message } of problems) {
    // Of several the place of the one that is wrong stands after the name of the field.
    const [name = ''] = path.split('.');
    const field = name === 'who' ? fieldOf(grantee) : name;
    errors[field] ??= `${message}.`;
  }
  return errors;
}

function fieldOf(grantee: string | undefined): string {
  return grantee !== undefined && kindOf(grantee) === 'group' ? fields.groups : fields.people;
}
