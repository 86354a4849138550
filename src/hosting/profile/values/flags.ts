import { findValues, type ServiceRecord } from './records.ts';

const truePattern = /^(true|yes|on|1|ja|oui|sí|si|y)$/i;
const falsePattern = /^(false|no|off|0|nein|non|n)$/i;

/** Parses a flag: a boolean, 1 or 0, or a word such as `yes`. Returns undefined for anything else. */
export function parseFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  if (truePattern.test(text)) return true;
  return falsePattern.test(text) ? false : undefined;
}

/** Returns the first flag found under the normalized field names. */
export function findFlag(record: ServiceRecord, fields: readonly string[]): boolean | undefined {
  return findValues(record, fields)
    .map(parseFlag)
    .find((flag) => flag !== undefined);
}
