import { withoutSecrets } from '../secret-redaction.ts';
import { readBackupFtp } from './backup-ftp.ts';
import { type FieldAddress, formatAddress, listAt, listParts, parseAddress } from './field-mapping.ts';
import { readRrdHistory } from './history.ts';
import { readIpResources } from './ip-addresses.ts';
import {
  findKnownValue,
  type KnownValue,
  liveValues,
  type PayloadEndpoint,
  seriesValues,
} from './known-values.ts';
import { collectLeaves, readLiveMetrics } from './live-metrics.ts';
import { recordValues } from './matcher.ts';
import type { Scalar } from './record.ts';
import { readReinstallOptions } from './reinstall-options.ts';
import { readSnapshots } from './snapshots.ts';
import { readSshMappings } from './ssh-mappings.ts';
import { readVlans } from './vlans.ts';
import { readVps, readVpsList } from './vps.ts';
import { readWebgate } from './webgate.ts';

const maxExampleChars = 60;

/** A field mapping that Rackhand found by itself. */
export interface FoundMapping {
  /** ID of the known value. */
  readonly value: string;
  /** The fields that the value comes from. Empty if it comes from entry names. */
  readonly fields: readonly string[];
  /** An example from the payload. Missing if it's a secret. */
  readonly example?: string | number;
  readonly isCertain: boolean;
  /**
   * The units that the field can have. Set if the payload names none; the value isn't used until a person
   * chooses one.
   */
  readonly units?: readonly string[];
}

/** A payload field that a person can choose for a value. */
export interface OfferedField {
  readonly field: string;
  readonly example: string;
}

/** Everything that Rackhand understood in one endpoint's payload. */
export interface UnderstoodPayload {
  readonly mappings: readonly FoundMapping[];
  readonly fields: readonly OfferedField[];
}

const readers: Readonly<Record<PayloadEndpoint, (data: unknown, vpsName: string) => unknown>> = {
  listVps: readVpsList,
  getVps: readVps,
  getLiveMonitoring: readLiveMetrics,
  getRrdMonitoring: readRrdHistory,
  listSnapshots: readSnapshots,
  listVlans: readVlans,
  listVpsIpAddresses: (data) => readIpResources(data),
  listIpv4Addresses: (data) => readIpResources(data, 'ipv4'),
  getReinstallOptions: readReinstallOptions,
  getWebgate: readWebgate,
  listSshMappings: readSshMappings,
  getBackupFtp: readBackupFtp,
};

/** Finds the fields with known values in a payload, and the fields that a person can choose. */
export function findMappings(endpoint: PayloadEndpoint, data: unknown, vpsName: string): UnderstoodPayload {
  // Found values are stored and shown later. The whole payload is searched for secrets, because a value in
  // the sample can repeat one outside it. The credentials of the backup space are separated by its reader.
  const safe = endpoint === 'getBackupFtp' ? data : withoutSecrets(data);
  const sample = endpoint === 'getRrdMonitoring' ? safe : takeSample(safe);
  if (typeof sample !== 'object' || sample === null) return { mappings: [], fields: [] };
  return {
    mappings: [...readMappings(endpoint, sample, vpsName), ...listLikely(endpoint, sample, vpsName)],
    fields: listOfferedFields(endpoint, sample, vpsName),
  };
}

/** Reads a payload with the mappings applied. Returns the known values in the payload. */
export function readMappings(
  endpoint: PayloadEndpoint,
  data: unknown,
  vpsName: string,
): readonly FoundMapping[] {
  if (typeof data !== 'object' || data === null) return [];
  const { copy, found } = recordValues(data);
  readers[endpoint](copy, vpsName);
  return [...found].flatMap(([id, { fields, contents, isCertain }]): FoundMapping[] => {
    const known = findKnownValue(id);
    if (!known) return [];
    const example = known.isSecret ? {} : { example: toExample(known, contents) };
    return [{ value: id, fields: [...fields], ...example, isCertain }];
  });
}

/** Lists figures without a unit that may be known values. */
function listLikely(endpoint: PayloadEndpoint, data: unknown, vpsName: string): readonly FoundMapping[] {
  const isHistory = endpoint === 'getRrdMonitoring';
  if (!isHistory && endpoint !== 'getLiveMonitoring') return [];
  const { likely = [] } = isHistory ? readRrdHistory(data, vpsName) : readLiveMetrics(data, vpsName);
  const values = isHistory ? seriesValues : liveValues;
  const first = new Map(likely.toReversed().map((one) => [values[one.metric].id, one]));
  return [...first].map(([value, { field, number, units }]) => ({
    value,
    fields: [field],
    example: number,
    isCertain: false,
    units,
  }));
}

/** Returns an example to show: the first value, or up to three names. */
function toExample({ type }: KnownValue, contents: readonly Scalar[]): string | number {
  const [first] = contents;
  if (typeof first === 'number') return first;
  return shorten(type === 'names' ? contents.slice(0, 3).join(', ') : String(first));
}

function shorten(text: string): string {
  return text.length > maxExampleChars ? `${text.slice(0, maxExampleChars - 1)}…` : text;
}

const maxDepth = 8;
/** Number of list entries and record fields that is enough to understand a payload. */
const sampleSize = 5;
const maxFields = 80;

/** Returns a payload with only the first entries in each list and the beginning of each text. */
function takeSample(data: unknown, depth = maxDepth): unknown {
  if (typeof data === 'string') return data.slice(0, 200);
  if (typeof data !== 'object' || data === null) return data;
  const parts = listParts(data);
  const isList = Array.isArray(data) || parts[0]?.[0] === '{}';
  const kept = depth === 0 ? [] : parts.slice(0, isList ? sampleSize : maxFields);
  const inner = kept.map(([, key, value]) => [key, takeSample(value, depth - 1)] as const);
  return Array.isArray(data) ? inner.map(([, value]) => value) : Object.fromEntries(inner);
}

function listOfferedFields(
  endpoint: PayloadEndpoint,
  data: unknown,
  vpsName: string,
): readonly OfferedField[] {
  if (endpoint === 'getRrdMonitoring') {
    const own = readRrdHistory(data, vpsName).series.filter(({ key }) => !(key in seriesValues));
    return own.map(({ key, points }) => ({
      field: key,
      example: String(points.findLast(({ value }) => value !== null)?.value ?? '–'),
    }));
  }
  const shown = endpoint === 'getBackupFtp' ? readBackupFtp(data).redacted : data;
  const fields =
    endpoint === 'getLiveMonitoring'
      ? collectLeaves(data).map(({ path, value }) => ({ address: path, value }))
      : listFields(shown);
  const unique = new Map(fields.toReversed().map(({ address, value }) => [formatAddress(address), value]));
  return [...unique].toReversed().map(([field, value]) => ({ field, example: shorten(String(value)) }));
}

function listFields(
  value: unknown,
  address: FieldAddress = [],
): readonly { readonly address: FieldAddress; readonly value: unknown }[] {
  if (value === null || value === undefined || address.length > maxDepth) return [];
  if (typeof value !== 'object') return [{ address, value }];
  return listParts(value)
    .flatMap(([part, , inner]) => listFields(inner, [...address, part]))
    .slice(0, maxFields);
}

/** Returns whether a payload has the mapped field. */
export function hasField(endpoint: PayloadEndpoint, data: unknown, field: string, vpsName: string): boolean {
  if (endpoint === 'getRrdMonitoring')
    return readRrdHistory(data, vpsName).series.some(({ key }) => key === field);
  if (endpoint === 'getLiveMonitoring')
    return collectLeaves(data).some(({ path }) => formatAddress(path) === field);
  return listAt(data, parseAddress(field) ?? []).some((content) => content !== undefined);
}
