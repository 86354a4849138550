import type { EndpointName } from '../../endpoints/contract.ts';

type Scalar = string | number | boolean;

/**
 * The result of a reading: one value, the names of a list's entries, or one value per entry by
 * name. A series is summarized by its first time, number of measurements and last measurement.
 */
export type ReadingValue = Scalar | readonly Scalar[] | Readonly<Record<string, Scalar>>;

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
  /** The smallest and largest number that is plausible. */
  readonly plausible?: { readonly min: number; readonly max: number };
  /** A field name that the readers of `profile/` always understand as this reading. */
  readonly canonicalField: string;
  /** The unit added to the name of `canonicalField`. Not added if the value is in another unit. */
  readonly canonicalUnit?: 'bytes' | 'percent';
  /** Set if examples must not be shown. */
  readonly isSecret?: boolean;
  /** Set if the reading follows from several fields, or from a missing one, and has no field of its own. */
  readonly isDerived?: boolean;
  /** Reads the endpoint's payload for a VPS. Returns undefined if the fact isn't found. */
  readonly read: (data: unknown, vpsName: string) => ReadingValue | undefined;
}

/** Returns whether a person can set a reading to a field. */
export function isSettable({ isSecret, isDerived }: Reading): boolean {
  return !isSecret && !isDerived;
}

/** Collects one value per entry, by name. Returns undefined if no entry has a value. */
export function valuesByName<Entry>(
  entries: readonly Entry[],
  name: (entry: Entry) => string | undefined,
  value: (entry: Entry) => Scalar | undefined,
): Readonly<Record<string, Scalar>> | undefined {
  const found = entries.flatMap((entry): [string, Scalar][] => {
    const [key, own] = [name(entry), value(entry)];
    return key === undefined || own === undefined ? [] : [[key, own]];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Returns the list, or undefined if it is empty. */
export function nonEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}

/** Formats a time as ISO 8601 in UTC, without ms. */
export function formatIsoTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Lets all readings of a payload share the result of parsing it. The payload must not change. */
export function rememberByPayload<Result>(
  parse: (data: unknown, vpsName: string) => Result,
): (data: unknown, vpsName: string) => Result {
  const remembered = new WeakMap<object, { readonly vpsName: string; readonly result: Result }>();
  return (data, vpsName) => {
    if (typeof data !== 'object' || data === null) return parse(data, vpsName);
    const known = remembered.get(data);
    if (known?.vpsName === vpsName) return known.result;
    const result = parse(data, vpsName);
    remembered.set(data, { vpsName, result });
    return result;
  };
}
