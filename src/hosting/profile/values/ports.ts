import { parseInteger } from './numbers.ts';
import { findFields, type ServiceRecord } from './records.ts';

export interface PortField {
  readonly field: string;
  readonly port: number;
}

/** Returns the first port found under the normalized field names, with its field. */
export function findPort(record: ServiceRecord, fields: readonly string[]): PortField | undefined {
  return findFields(record, fields)
    .map(({ field, value }) => ({ field, port: parseInteger(value, 1, 65_535) }))
    .find((found): found is PortField => found.port !== undefined);
}
