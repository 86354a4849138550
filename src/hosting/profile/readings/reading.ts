import type { EndpointName } from '../../endpoints/contract.ts';
import { normalizeFieldName } from '../values/records.ts';
import { bytesPerFieldUnit, splitUnit } from '../values/units.ts';

/** The GET endpoints whose payloads contain readings. */
export type ReadingEndpoint = Extract<
  EndpointName,
  | 'listVps'
  | 'getVps'
  | 'getLiveMonitoring'
  | 'getRrdMonitoring'
  | 'listSnapshots'
  | 'listVlans'
  | 'listVpsIpAddresses'
  | 'listIpv4Addresses'
  | 'getReinstallOptions'
  | 'getWebgate'
  | 'listSshMappings'
  | 'getBackupFtp'
>;

/** One fact that Rackhand looks for in the payloads of a service. */
export interface Reading {
  /** How people type it, such as `live.cpu`. */
  readonly id: string;
  readonly label: string;
  readonly endpoint: ReadingEndpoint;
  readonly type: 'text' | 'number' | 'time' | 'flag' | 'names' | 'series';
  readonly unit?: 'percent' | 'bytes' | 'bytesPerSecond' | 'seconds';
  /** The smallest and largest number that is plausible. Any other number is ignored. */
  readonly plausible?: { readonly min: number; readonly max: number };
  /**
   * Normalized names of the fields that can contain it, most likely first. An amount can have its
   * unit after the name. Missing if more than a name decides.
   */
  readonly fields?: readonly string[];
  /** Set if examples must not be shown. */
  readonly isSecret?: boolean;
  /** Set if the reading follows from several fields, or from a missing one, and has no field of its own. */
  readonly isDerived?: boolean;
}

/** Returns whether a person can set a reading to a field. */
export function isSettable({ isSecret, isDerived }: Reading): boolean {
  return !isSecret && !isDerived;
}

/** Returns whether a number can be true for a reading. */
export function isPlausible({ plausible }: Reading, number: number): boolean {
  return Number.isFinite(number) && (!plausible || (number >= plausible.min && number <= plausible.max));
}

/** Returns the position of a field's name among the declared names of a reading, or -1. */
export function rankField({ fields = [], unit }: Reading, field: string): number {
  const rank = fields.indexOf(normalizeFieldName(field));
  if (rank >= 0 || unit !== 'bytes') return rank;
  const { name, unit: suffix } = splitUnit(field);
  const isAmount = bytesPerFieldUnit(suffix) !== undefined;
  return isAmount ? fields.indexOf(normalizeFieldName(name).replace(/in$/, '')) : -1;
}
