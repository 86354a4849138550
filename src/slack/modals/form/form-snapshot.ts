import { createHash } from 'node:crypto';
import type { RawInput } from '../../../operations/define/arguments/raw-input.ts';
import type { Operation } from '../../../operations/define/operation.ts';
import {
  type FormState,
  listVisibleFields,
  readHiddenValues,
  readParentValues,
} from './field-dependencies.ts';
import type { FormMetadata } from './form-metadata.ts';

/** A form merged with changes that others have saved, and notes about those changes. */
export interface MergedForm extends FormState {
  readonly notes: readonly string[];
}

const digestChars = 8;

/** Returns a digest of each stored value, to detect later which fields have changed. */
export function createFormSnapshot(stored: RawInput): FormMetadata['snapshot'] {
  return Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, toDigest(value)]));
}

function toDigest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value ?? ''))
    .digest('base64url')
    .slice(0, digestChars);
}

const emptyDigest = toDigest('');

/**
 * Compares the snapshot with the currently stored values. Returns undefined if they are the same. Otherwise, untouched
 * fields get the new values, and the other fields keep what the person entered.
 */
export function mergeStoredChanges(
  operation: Operation,
  form: FormState,
  stored: RawInput,
): MergedForm | undefined {
  const { arguments: fields } = operation;
  const { raw, metadata } = form;
  const { snapshot } = metadata;
  const changed = Object.keys(fields).filter(
    (name) => toDigest(stored[name]) !== (snapshot[name] ?? emptyDigest),
  );
  if (changed.length === 0) return undefined;
  const visibleFields = listVisibleFields(operation, metadata);
  const isTouched = (name: string) =>
    Object.hasOwn(visibleFields, name) && toDigest(raw[name]) !== (snapshot[name] ?? emptyDigest);
  const untouched = changed.filter((name) => !isTouched(name));
  const merged = {
    ...metadata.hiddenValues,
    ...raw,
    ...Object.fromEntries(untouched.map((name) => [name, stored[name] ?? ''])),
  };
  const getLabel = (name: string) => fields[name]?.label ?? name;
  const conflicts = changed
    .filter(isTouched)
    .map((name) => `${getLabel(name)} (${formatStoredValue(stored[name])} is stored)`);
  const next = {
    ...metadata,
    snapshot: createFormSnapshot(stored),
    parentValues: readParentValues(operation, merged),
  };
  return {
    raw: merged,
    metadata: {
      ...next,
      revision: metadata.revision + 1,
      hiddenValues: readHiddenValues(operation, merged, next),
    },
    notes: [
      `Nothing was saved. Someone changed this while the form was open: ${changed.map(getLabel).join(', ')}.`,
      ...(conflicts.length > 0
        ? [`You also changed these; the form still shows your values: ${conflicts.join(', ')}.`]
        : []),
      'Check the form, then save it again.',
    ],
  };
}

function formatStoredValue(value: RawInput[string] | undefined): string {
  return typeof value === 'string' && value !== '' ? `“${value}”` : 'nothing';
}
