import { withoutSecrets } from '../secret-redaction.ts';
import { readBackupFtp } from './backup-ftp.ts';
import { type FieldAddress, formatAddress, listAt, listParts, parseAddress } from './field-address.ts';
import type { FieldMapping } from './field-mapping.ts';
import { readRrdHistory } from './history.ts';
import {
  type KnownValue,
  listKnownValues,
  liveValues,
  type PayloadEndpoint,
  seriesValues,
} from './known-values.ts';
import { collectLeaves } from './leaves.ts';
import { readLiveMetrics } from './live-metrics.ts';
import { applyMappings, recordFields } from './matcher.ts';
import { type PayloadValue, readPayloadValues } from './payload-values.ts';
import { isRecord } from './record.ts';

/** The field mapping of a known value that Rackhand found itself. */
export interface FoundMapping {
  /** ID of the known value. */
  readonly value: string;
  /** The fields that it comes from. None if it comes from names of entries. */
  readonly fields: readonly string[];
  /** What the payload has for it. Missing if that is a secret. */
  readonly example?: string | number;
  readonly isCertain: boolean;
  /** The units that the field can have. Set if the payload names none, so that the value isn't used yet. */
  readonly units?: readonly string[];
}

/** A field of a payload that a person can choose for a value. */
export interface OfferedField {
  readonly field: string;
  readonly example: string;
}

/** Everything that was understood in the payload of one endpoint. */
export interface UnderstoodPayload {
  readonly mappings: readonly FoundMapping[];
  readonly fields: readonly OfferedField[];
}

const maxExampleChars = 60;

/** Finds the fields of the known values in a payload, and the fields that the payload has. */
export function findMappings(endpoint: PayloadEndpoint, data: unknown, vpsName: string): UnderstoodPayload {
  // Found values are stored and shown later. Secrets are looked for in the whole payload, because a value in the
  // sample can repeat one outside it. The credentials of backup space are separated by their reader.
  const safe = endpoint === 'getBackupFtp' ? data : withoutSecrets(data);
  const sample = endpoint === 'getRrdMonitoring' ? safe : takeSample(safe);
  if (typeof sample !== 'object' || sample === null) return { mappings: [], fields: [] };
  const copy = Array.isArray(sample) ? [...sample] : { ...sample };
  const found = recordFields(copy);
  const contents = readPayloadValues(endpoint, copy, vpsName);
  const certain = listKnownValues(endpoint).flatMap((known): FoundMapping[] => {
    const content = contents.get(known.id);
    if (content === undefined) return [];
    const { fields = new Set<string>(), isCertain = true } = found.get(known.id) ?? {};
    const example = known.isSecret ? {} : { example: toExample(known, content) };
    return [{ value: known.id, fields: [...fields], ...example, isCertain }];
  });
  return {
    mappings: [...certain, ...listLikely(endpoint, copy, vpsName)],
    fields: listOfferedFields(endpoint, copy, vpsName),
  };
}

/** Lists the figures without a unit that can be a known value. */
function listLikely(endpoint: PayloadEndpoint, data: unknown, vpsName: string): readonly FoundMapping[] {
  const likely =
    endpoint === 'getLiveMonitoring'
      ? (readLiveMetrics(data, vpsName).likely ?? []).map((one) => ({
          ...one,
          known: liveValues[one.metric],
        }))
      : endpoint === 'getRrdMonitoring'
        ? (readRrdHistory(data, vpsName).likely ?? []).map((one) => ({
            ...one,
            known: seriesValues[one.metric],
          }))
        : [];
  const first = new Map(likely.toReversed().map((one) => [one.known.id, one]));
  return [...first.values()].map(({ known, field, number, units }) => ({
    value: known.id,
    fields: [field],
    example: number,
    isCertain: false,
    units,
  }));
}

/** Returns one value to show. It is the last value of a series, or the first of several names. */
function toExample({ type }: KnownValue, content: PayloadValue): string | number {
  if (typeof content === 'number') return content;
  if (typeof content !== 'object') return shorten(String(content));
  if (isList(content)) return shorten(content.slice(0, 3).join(', '));
  const values: Readonly<Record<string, unknown>> = { ...content };
  const one = type === 'series' ? values.last : Object.values(values)[0];
  return typeof one === 'number' ? one : shorten(String(one));
}

function isList(content: PayloadValue): content is readonly (string | number | boolean)[] {
  return Array.isArray(content);
}

function shorten(text: string): string {
  return text.length > maxExampleChars ? `${text.slice(0, maxExampleChars - 1)}…` : text;
}

const maxDepth = 8;
/** How many entries of a list, and fields of a record, are enough to understand a payload. */
const sampleSize = 5;
const maxFields = 80;

/** Returns a payload that contains only the first entries of each list and the beginning of each text. */
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

/** Describes the fields of a payload, equally for payloads that have the same fields. */
export function describeShape(data: unknown): string {
  const sample = takeSample(data);
  const fields = isRecord(sample) || Array.isArray(sample) ? listFields(sample) : [];
  return [...new Set(fields.map(({ address }) => formatAddress(address)))].toSorted().join('\n');
}

export interface MappedPayload {
  /** The payload, whose readers use the mapped fields. */
  readonly data: unknown;
  /** IDs of the values whose field isn't in the payload. They aren't shown. */
  readonly missing: readonly string[];
}

/** Applies a person's field mappings to a payload. */
export function mapPayload(
  endpoint: PayloadEndpoint,
  data: unknown,
  mappings: readonly FieldMapping[],
  vpsName: string,
): MappedPayload {
  const fields = mappings.length > 0 ? listFieldNames(endpoint, data, vpsName) : undefined;
  const has = (field: string) =>
    fields?.has(field) ?? listAt(data, parseAddress(field) ?? []).some((content) => content !== undefined);
  const missing = mappings.filter(({ field }) => !has(field));
  return { data: applyMappings(data, mappings), missing: missing.map(({ value }) => value) };
}

/** Returns the names of a payload's fields, if they aren't simply addresses in the payload. */
function listFieldNames(
  endpoint: PayloadEndpoint,
  data: unknown,
  vpsName: string,
): ReadonlySet<string> | undefined {
  if (endpoint === 'getRrdMonitoring')
    return new Set(readRrdHistory(data, vpsName).series.map(({ key }) => key));
  if (endpoint !== 'getLiveMonitoring') return undefined;
  return new Set(collectLeaves(data).map(({ path }) => formatAddress(path)));
}
