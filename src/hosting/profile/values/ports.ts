import { parseInteger } from './numbers.ts';
import { findValues, type ServiceRecord } from './records.ts';

/** Returns the first port found under the normalized field names. */
export function findPort(
  record: ServiceRecord,
  fields: readonly string[],
  { min, max }: { readonly min: number; readonly max: number } = { min: 1, max: 65_535 },
): number | undefined {
  return findValues(record, fields)
    .map((value) => parseInteger(value, min, max))
    .find((port) => port !== undefined);
}
