import { readRrdHistory } from '../metrics/rrd-history.ts';
import type { RrdMetric, RrdSeries } from '../metrics/rrd-series.ts';
import type { Reading } from '../readings/reading.ts';
import { nameCanonicalField, type PlannedCorrection } from './correction.ts';
import { findBaseColumns, seriesMetric } from './infer.ts';

/** Field names that the reader always understands as a metric in the unit of its series. */
const explicitFields: Readonly<Record<RrdMetric, string>> = {
  cpu: 'cpu_percent',
  memory: 'memory_percent',
  memoryUsed: 'memory_used_bytes',
  memoryTotal: 'memory_total_bytes',
  disk: 'disk_percent',
  diskUsed: 'disk_used_bytes',
  diskTotal: 'disk_total_bytes',
  networkIn: 'network_in_bytes_per_s',
  networkOut: 'network_out_bytes_per_s',
  diskRead: 'disk_read_bytes_per_s',
  diskWrite: 'disk_write_bytes_per_s',
};

/**
 * Rewrites the history of a VPS to rows in which the corrected series have names that the reader
 * knows. A series that was wrongly taken for a corrected metric is renamed: its name gets the
 * prefix `raw`.
 */
export function correctSeries(
  data: unknown,
  corrections: readonly PlannedCorrection[],
  vpsName: string,
): { readonly data: unknown; readonly missing: readonly Reading[] } {
  const { series, otherFields } = readRrdHistory(data, vpsName);
  const columns = series.filter((one) => findBaseColumns(one, series) === undefined);
  const corrected = new Map<string, Reading>(
    corrections.map(({ reading }) => [seriesMetric(reading), reading]),
  );
  const targets = new Map(corrections.map((correction) => [correction.field, correction]));
  const rows = new Map<number, Record<string, unknown>>();
  for (const column of columns) {
    const target = targets.get(column.key);
    const name = target ? nameCorrected(column, target) : nameOther(column, corrected);
    for (const { timeMs, value } of column.points) {
      const row = rows.get(timeMs) ?? { time: new Date(timeMs).toISOString() };
      row[name] = value;
      rows.set(timeMs, row);
    }
  }
  const missing = corrections.filter(({ field }) => !columns.some(({ key }) => key === field));
  return {
    data: { ...otherFields, points: [...rows.values()] },
    missing: missing.map(({ reading }) => reading),
  };
}

const knownUnits = {
  percent: 'percent',
  bytes: 'bytes',
  bytesPerSecond: undefined,
  number: undefined,
} as const;

/**
 * Returns the name for a corrected series. If the reader took it for a metric, it is in that
 * metric's unit.
 */
function nameCorrected(
  { key, unit, points }: RrdSeries,
  { reading, unit: given }: PlannedCorrection,
): string {
  const values = points.flatMap(({ value }) => value ?? []);
  const known = given ?? knownUnits[unit];
  const name = nameCanonicalField({ reading, unit: known }, unit === 'number' ? key : '', values);
  return name ?? reading.canonicalField;
}

function nameOther({ key, metric, unit }: RrdSeries, corrected: ReadonlyMap<string, Reading>): string {
  if (metric === undefined) return unit === 'number' ? key : `raw ${key}`;
  return corrected.has(metric) ? `raw ${key}` : explicitFields[metric];
}
