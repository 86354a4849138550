import { createHash } from 'node:crypto';
import type { Operation } from '../../operations/operation.ts';
import type { RawInput } from '../../operations/outcome.ts';
import { asideOf, type FormState, parentsOf, shownFields } from './dependence.ts';
import type { FormMetadata } from './metadata.ts';

/** A form that has caught up with what somebody else has changed meanwhile, and what there is to say about that. */
export interface CaughtUp extends FormState {
  readonly notes: readonly string[];
}

const digestChars = 8;

/** Gives what a form is filled from in short: enough to tell of each field whether it is another now. */
export function digestsOf(kept: RawInput): FormMetadata['kept'] {
  return Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, digestOf(value)]));
}

function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value ?? ''))
    .digest('base64url')
    .slice(0, digestChars);
}

const empty = digestOf('');

/**
 * Compares what a form was filled from with what is kept now. Nothing where that is the same; else what its person has not touched becomes what it is
 * now, and what they have stays as they left it.
 */
export function catchUp(operation: Operation, form: FormState, now: RawInput): CaughtUp | undefined {
  const { arguments: fields } = operation;
  const { raw, metadata } = form;
  const { kept } = metadata;
  const changed = Object.keys(fields).filter((name) => digestOf(now[name]) !== (kept[name] ?? empty));
  if (changed.length === 0) return undefined;
  const shown = shownFields(operation, metadata);
  const isTouched = (name: string) =>
    Object.hasOwn(shown, name) && digestOf(raw[name]) !== (kept[name] ?? empty);
  const untouched = changed.filter((name) => !isTouched(name));
  const caughtUp = {
    ...metadata.aside,
    ...raw,
    ...Object.fromEntries(untouched.map((name) => [name, now[name] ?? ''])),
  };
  const labelOf = (name: string) => fields[name]?.label ?? name;
  const both = changed.filter(isTouched).map((name) => `${labelOf(name)} (${write(now[name])} there)`);
  const next = { ...metadata, kept: digestsOf(now), parents: parentsOf(operation, caughtUp) };
  return {
    raw: caughtUp,
    metadata: {
      ...next,
      revision: metadata.revision + 1,
      edition: metadata.edition + 1,
      aside: asideOf(operation, caughtUp, next),
    },
    notes: [
      `Nothing is saved yet. Somebody has changed this while the form was open: ${changed.map(labelOf).join(', ')}.`,
      ...(both.length > 0
        ? [`You have changed that too, and it stands here as you left it: ${both.join(', ')}.`]
        : []),
      'Look through it, and save it again.',
    ],
  };
}

function write(value: RawInput[string] | undefined): string {
  return typeof value === 'string' && value !== '' ? `“${value}”` : 'nothing';
}
