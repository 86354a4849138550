import {
  type ChosenValue,
  type Correction,
  combineValues,
  parseTwoFields,
  toReadingNumber,
} from '../../readings/correction.ts';
import { seriesReadings } from '../../readings/metric-readings.ts';
import type { Places } from '../../readings/places.ts';
import type { Reading } from '../../readings/reading.ts';
import type { MeasuredColumn } from './measured-column.ts';
import type { MeasuredPoint } from './normalize-points.ts';
import type { RrdMetric, RrdSeries, SeriesPoint } from './rrd-series.ts';

/** A column whose numbers were read. */
export interface BuiltColumn {
  readonly column: MeasuredColumn;
  readonly unit: RrdSeries['unit'];
  readonly metric: RrdMetric | undefined;
  readonly points: readonly SeriesPoint[];
}

/** Returns how a column is called in a correction, and in `RrdSeries`. */
export function formatKey({ path }: Pick<MeasuredColumn, 'path'>): string {
  return path.join('.') || 'value';
}

/** Reads the metrics of a history whose columns a person chose. */
export function readChosenColumns(
  columns: readonly MeasuredColumn[],
  places: Places,
): readonly BuiltColumn[] {
  return Object.entries(seriesReadings).flatMap(([metric, reading]): BuiltColumn[] => {
    const correction = places.correctionOf(reading);
    const built = correction && readChosenColumn(columns, reading, correction);
    if (!built || built.points.every(({ value }) => value === null)) return [];
    return [{ ...built, metric: metric as RrdMetric, unit: reading.unit }];
  });
}

function readChosenColumn(
  columns: readonly MeasuredColumn[],
  reading: Reading,
  { field, unit }: Correction,
): Pick<BuiltColumn, 'column' | 'points'> | undefined {
  const find = (key: string) => columns.find((column) => formatKey(column) === key);
  const single = find(field);
  if (single) {
    const read = (point: MeasuredPoint) =>
      toReadingNumber(reading, toChosenValue(field, point), unit) ?? null;
    return {
      column: single,
      points: single.points.map((point) => ({ timeMs: point.timeMs, value: read(point) })),
    };
  }
  const two = parseTwoFields(field);
  const [left, right] = two ? [find(two.left), find(two.right)] : [];
  if (!two || !left || !right) return undefined;
  const others = new Map(right.points.map((point) => [point.timeMs, point]));
  const points = left.points.map((point): SeriesPoint => {
    const values = [
      toChosenValue(two.left, point),
      toChosenValue(two.right, others.get(point.timeMs)),
    ] as const;
    return { timeMs: point.timeMs, value: combineValues(reading, values, two.operator, unit) ?? null };
  });
  return { column: { path: [field], meaning: undefined, points: [] }, points };
}

function toChosenValue(name: string, point: MeasuredPoint | undefined): ChosenValue {
  return { name, value: point?.quantity };
}
