import { redactResult } from '../../secret-redaction.ts';
import { readRrdHistory } from '../metrics/history/rrd-history.ts';
import type { RrdSeries } from '../metrics/history/rrd-series.ts';
import { collectLeaves } from '../payload/leaves.ts';
import { listReadings } from '../readings/all-readings.ts';
import {
  type Field,
  formatAddress,
  listFields,
  mapAddresses,
  takeSample,
} from '../readings/field-address.ts';
import { seriesReadings } from '../readings/metric-readings.ts';
import { notePlaces, type Place } from '../readings/places.ts';
import type { Reading, ReadingEndpoint } from '../readings/reading.ts';
import { readBackupFtp } from '../resources/vps/backup-ftp.ts';
import { isList, type ReadingValue, readFacts } from './facts.ts';

/** The place of a reading in the payloads of a service. */
export interface FoundReading {
  readonly reading: string;
  /** Addresses of its fields. There are several if the reading is calculated. */
  readonly fields: readonly string[];
  /** One value, to be shown to people. Missing if the reading is a secret. */
  readonly example?: string | number;
  /** Whether the reading isn't simply the value of one field. */
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
  readonly findings: readonly FoundReading[];
  readonly fields: readonly OfferedField[];
}

/** Endpoints whose payload describes a single thing. */
const singleRecordEndpoints: readonly ReadingEndpoint[] = ['getVps', 'getLiveMonitoring', 'getBackupFtp'];

/** Finds out where the readings of an endpoint are in a payload, and which fields the payload has. */
export function inferProfile(endpoint: ReadingEndpoint, data: unknown, vpsName: string): Inference {
  if (endpoint === 'getRrdMonitoring') return inferSeries(data, vpsName);
  const sample = takeSample(data, hasLists(endpoint));
  if (typeof sample !== 'object' || sample === null) return { findings: [], fields: [] };
  const places = notePlaces(sample);
  const facts = readFacts(endpoint, sample, vpsName);
  const fields = listPayloadFields(endpoint, sample);
  const addresses = mapAddresses(sample, hasLists(endpoint));
  const findings = listReadings(endpoint).flatMap((reading): FoundReading[] => {
    const value = facts.get(reading.id);
    if (value === undefined) return [];
    const noted = places.get(reading.id) ?? [];
    const own = listAddresses(noted, addresses);
    const found = own.length > 0 ? own : findByValue(fields, value);
    return [
      {
        reading: reading.id,
        fields: found,
        ...(!reading.isSecret && { example: toExample(reading, value) }),
        isCalculated: found.length !== 1,
        isCertain: found.length > 0 && noted.every(({ isCertain }) => isCertain),
      },
    ];
  });
  const shown = listPayloadFields(endpoint, hideSecrets(endpoint, sample));
  return {
    findings,
    fields: shown.map(({ address, values }) => ({
      field: formatAddress(address),
      example: shorten(String(values[0])),
    })),
  };
}

function listAddresses(
  places: readonly Place[],
  addresses: ReturnType<typeof mapAddresses>,
): readonly string[] {
  const found = places.flatMap(({ record, path }) => {
    const outer = record === undefined ? [] : addresses.get(record);
    return outer === undefined ? [] : [formatAddress([...outer, ...path])];
  });
  return [...new Set(found)];
}

/** Finds the only field with the values of a reading, for an entry that isn't a record. */
function findByValue(fields: readonly Field[], value: ReadingValue): readonly string[] {
  const toWords = (values: readonly unknown[]) => values.map((each) => String(each).toLowerCase());
  const wanted = toWords(Object.values(typeof value === 'object' ? value : [value]));
  if (wanted.every((each) => /^(true|false)$/.test(each))) return [];
  const matching = fields.filter(({ values }) => {
    const own = new Set(toWords(values));
    return wanted.every((each) => own.has(each));
  });
  return matching.length === 1 ? matching.map(({ address }) => formatAddress(address)) : [];
}

/**
 * Describes the shape of a payload. The description is equal for payloads of an endpoint that have
 * the same fields.
 */
export function describeShape(endpoint: ReadingEndpoint, data: unknown): string {
  const fields = listFields(takeSample(data, hasLists(endpoint)), hasLists(endpoint));
  return fields
    .map(({ address }) => formatAddress(address))
    .toSorted()
    .join('\n');
}

function hasLists(endpoint: ReadingEndpoint): boolean {
  return !singleRecordEndpoints.includes(endpoint);
}

/** Lists the fields of a sample. Those of live data are its leaves, so that each has a name of its own. */
function listPayloadFields(endpoint: ReadingEndpoint, sample: unknown): readonly Field[] {
  if (endpoint !== 'getLiveMonitoring') return listFields(sample, hasLists(endpoint));
  return collectLeaves(sample).map(({ path, value, quantity }) => ({
    address: path.length === 0 ? ['value'] : path,
    values: [quantity?.unit === undefined ? value : `${quantity.value} ${quantity.unit}`],
  }));
}

function inferSeries(data: unknown, vpsName: string): Inference {
  const { series } = readRrdHistory(data, vpsName);
  const facts = readFacts('getRrdMonitoring', data, vpsName);
  const findings = Object.entries(seriesReadings).flatMap(([metric, reading]): FoundReading[] => {
    const value = facts.get(reading.id);
    const own = series.find((one) => one.metric === metric);
    if (value === undefined || own === undefined) return [];
    const fields = findBaseColumns(own, series) ?? [own.key];
    return [
      {
        reading: reading.id,
        fields,
        example: toExample(reading, value),
        isCalculated: fields.length > 1,
        isCertain: true,
      },
    ];
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
function findBaseColumns(
  { key, metric }: RrdSeries,
  series: readonly RrdSeries[],
): readonly string[] | undefined {
  if (key !== 'memory' && key !== 'disk') return undefined;
  const parts = [`${key}Used`, `${key}Total`].flatMap(
    (part) => series.find((other) => other.metric === part)?.key ?? [],
  );
  return metric === key && parts.length === 2 ? parts : undefined;
}

const maxExampleChars = 60;

function shorten(text: string): string {
  return text.length > maxExampleChars ? `${text.slice(0, maxExampleChars - 1)}…` : text;
}

/** Returns one value of a reading. It is the last value of a series, or the first of several names. */
function toExample({ type }: Reading, value: ReadingValue): string | number {
  if (typeof value !== 'object') return typeof value === 'number' ? value : shorten(String(value));
  if (isList(value)) return shorten(value.slice(0, 3).join(', '));
  const one = type === 'series' ? value.last : Object.values(value)[0];
  return typeof one === 'number' ? one : shorten(String(one));
}

function hideSecrets(endpoint: ReadingEndpoint, sample: unknown): unknown {
  return endpoint === 'getBackupFtp' ? readBackupFtp(sample).redacted : redactResult(sample).redacted;
}
