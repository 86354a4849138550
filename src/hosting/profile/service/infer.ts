import { readRrdHistory } from '../metrics/rrd-history.ts';
import type { RrdSeries } from '../metrics/rrd-series.ts';
import { collectLeaves } from '../payload/leaves.ts';
import { redactResult } from '../payload/secret-redaction.ts';
import { allReadings } from '../readings/all-readings.ts';
import type { Reading, ReadingEndpoint, ReadingValue } from '../readings/reading.ts';
import { readBackupFtp } from '../resources/backup-ftp.ts';
import { isRecord, type ServiceRecord } from '../values/records.ts';
import { type Field, formatAddress, listFields, takeSample } from './field-address.ts';
import { findSources } from './find-sources.ts';

/** Where a reading was found in the payloads of a service. */
export interface Finding {
  readonly reading: string;
  /** Addresses of its fields. There are several if the reading is calculated. */
  readonly fields: readonly string[];
  /** One value, to be shown to people. Missing if the reading is a secret. */
  readonly example?: string | number;
  /** Whether it isn't the value of one field. */
  readonly isCalculated: boolean;
  readonly isCertain: boolean;
}

/** A field of a payload from which a reading can be taken. */
export interface OfferedField {
  readonly field: string;
  readonly example: string;
}

/** Everything that was understood in the payload of one endpoint. */
export interface Inference {
  readonly findings: readonly Finding[];
  readonly fields: readonly OfferedField[];
}

/** Endpoints whose payload describes a single thing. */
const singleRecordEndpoints: readonly ReadingEndpoint[] = ['getVps', 'getLiveMonitoring', 'getBackupFtp'];

/** Returns the readings of an endpoint. */
export function listReadings(endpoint: ReadingEndpoint): readonly Reading[] {
  return allReadings.filter((reading) => reading.endpoint === endpoint);
}

/** Finds out where the readings of an endpoint are in a payload, and which fields the payload has. */
export function inferProfile(endpoint: ReadingEndpoint, data: unknown, vpsName: string): Inference {
  if (endpoint === 'getRrdMonitoring') return inferSeries(data, vpsName);
  const sample = prepareSample(endpoint, data);
  const fields = listPayloadFields(endpoint, sample);
  return {
    findings: findSources(sample, vpsName, fields, listReadings(endpoint)).map((source) => ({
      reading: source.reading.id,
      fields: source.fields.map(({ address }) => formatAddress(address)),
      ...(!source.reading.isSecret && { example: toExample(source.value) }),
      isCalculated: source.isCalculated,
      isCertain: source.isCertain,
    })),
    fields: listPayloadFields(endpoint, hideSecrets(endpoint, sample)).map(({ address, values }) => ({
      field: formatAddress(address),
      example: shorten(String(values[0])),
    })),
  };
}

/**
 * Describes the shape of a payload. The description is equal for payloads of an endpoint that have
 * the same fields.
 */
export function describeShape(endpoint: ReadingEndpoint, data: unknown): string {
  const fields = listFields(takeSample(data), !singleRecordEndpoints.includes(endpoint));
  return fields
    .map(({ address }) => formatAddress(address))
    .toSorted()
    .join('\n');
}

/** Returns the part of a payload that is enough to understand it. Corrections apply to this form. */
export function prepareSample(endpoint: ReadingEndpoint, data: unknown): unknown {
  return endpoint === 'getLiveMonitoring' ? nestLeaves(takeSample(data)) : takeSample(data);
}

/** Lists the fields of a sample. */
export function listPayloadFields(endpoint: ReadingEndpoint, sample: unknown): readonly Field[] {
  return listFields(sample, !singleRecordEndpoints.includes(endpoint));
}

/** Converts live data to nested objects without lists, so that each value has a name of its own. */
export function nestLeaves(data: unknown): ServiceRecord {
  const nested: Record<string, unknown> = {};
  for (const { path, value, quantity } of collectLeaves(data)) {
    let parent: Record<string, unknown> = nested;
    const [name = 'value', ...outer] = path.toReversed();
    for (const part of outer.toReversed()) {
      const inner = Object.hasOwn(parent, part) ? parent[part] : undefined;
      const next: Record<string, unknown> = isRecord(inner) ? inner : {};
      parent[part] = next;
      parent = next;
    }
    parent[name] = quantity?.unit === undefined ? value : `${quantity.value} ${quantity.unit}`;
  }
  return nested;
}

function inferSeries(data: unknown, vpsName: string): Inference {
  const { series } = readRrdHistory(data, vpsName);
  const findings = listReadings('getRrdMonitoring').flatMap((reading): Finding[] => {
    const value = reading.read(data, vpsName);
    const own = series.find(({ metric }) => metric === seriesMetric(reading));
    if (value === undefined || own === undefined) return [];
    const fields = findBaseColumns(own, series) ?? [own.key];
    const isCalculated = fields.length > 1;
    return [{ reading: reading.id, fields, example: toExample(value), isCalculated, isCertain: true }];
  });
  return {
    findings,
    fields: series
      .filter((one) => findBaseColumns(one, series) === undefined)
      .map(({ key, points }) => ({
        field: key,
        example: String(points.findLast(({ value }) => value !== null)?.value ?? '–'),
      })),
  };
}

/**
 * Returns the columns from which a percentage was calculated. Returns undefined if the series is
 * itself a column of the payload.
 */
export function findBaseColumns(
  { key, metric }: RrdSeries,
  series: readonly RrdSeries[],
): readonly string[] | undefined {
  if (key !== 'memory' && key !== 'disk') return undefined;
  const parts = [`${key}Used`, `${key}Total`].flatMap(
    (part) => series.find((other) => other.metric === part)?.key ?? [],
  );
  return metric === key && parts.length === 2 ? parts : undefined;
}

/** Returns the metric of a reading over time: `rrd.network_in` reads `networkIn`. */
export function seriesMetric({ id }: Reading): string {
  return id.replace(/^rrd\./, '').replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

const maxExampleChars = 60;

function shorten(text: string): string {
  return text.length > maxExampleChars ? `${text.slice(0, maxExampleChars - 1)}…` : text;
}

/** Returns one value of a reading. It is the last value of a series, or the first of several names. */
function toExample(value: ReadingValue): string | number {
  if (Array.isArray(value)) return shorten(value.slice(0, 3).join(', '));
  const one =
    typeof value === 'object' && !Array.isArray(value)
      ? 'last' in value
        ? value.last
        : Object.values(value)[0]
      : value;
  return typeof one === 'number' ? one : shorten(String(one));
}

function hideSecrets(endpoint: ReadingEndpoint, sample: unknown): unknown {
  return endpoint === 'getBackupFtp' ? readBackupFtp(sample).redacted : redactResult(sample).redacted;
}
