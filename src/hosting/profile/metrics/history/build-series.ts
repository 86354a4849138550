import { calculatePercent } from '../../readings/correction.ts';
import { seriesReadings } from '../../readings/metric-readings.ts';
import type { Places } from '../../readings/places.ts';
import { isPlausible } from '../../readings/reading.ts';
import type { FieldMeaning } from '../field-meaning.ts';
import { type Measurement, parseExplicitPercent, toBytes, toFlow } from '../measurements.ts';
import { isPlausiblePercent } from '../plausibility.ts';
import { type BuiltColumn, formatKey, readChosenColumns } from './chosen-series.ts';
import {
  findFirstMeasurement,
  listMeasurements,
  listValues,
  type MeasuredColumn,
} from './measured-column.ts';
import type { MeasuredPoint } from './normalize-points.ts';
import type { RrdMetric, RrdSeries, SeriesPoint } from './rrd-series.ts';
import { buildContext, isCounter, type SeriesContext } from './series-context.ts';

const metricLabels: Readonly<Record<RrdMetric, string>> = {
  cpu: 'CPU',
  memory: 'Memory',
  memoryUsed: 'Memory used',
  memoryTotal: 'Memory, total',
  disk: 'Disk',
  diskUsed: 'Disk used',
  diskTotal: 'Disk, total',
  networkIn: 'Network in',
  networkOut: 'Network out',
  diskRead: 'Disk read',
  diskWrite: 'Disk write',
};

/**
 * Converts columns to series that have a metric and a unit. Calculates memory and disk percentages
 * if they are missing.
 */
export function buildSeries(columns: readonly MeasuredColumn[], places: Places): readonly RrdSeries[] {
  const context = buildContext(columns);
  const isChosen = (metric: RrdMetric) => places.correctionOf(seriesReadings[metric]) !== undefined;
  const chosen = readChosenColumns(columns, places);
  const chosenKeys = new Set(chosen.map(({ column }) => formatKey(column)));
  const open = columns.filter((column) => !chosenKeys.has(formatKey(column)));
  const known = open.flatMap((column): BuiltColumn[] => {
    const reader = createValueReader(column, context);
    const { unit, metric: found, read } = isFlawed(column, reader) ? plainReader : reader;
    const metric = found && isChosen(found) ? undefined : found;
    const points = column.points.map((point) => {
      const value = readPointValue(point, column, read);
      const isTrue = value === null || found === undefined || canBeTrue(found, unit, value);
      return { timeMs: point.timeMs, value: isTrue ? value : null };
    });
    return isEmptyDisk(column, points) ? [] : [{ column, unit, metric, points }];
  });
  const stated = withoutOverflow([...chosen, ...known]);
  const series = stated.map(({ column, unit, metric, points }, index): RrdSeries => {
    const isFirst = metric !== undefined && stated.findIndex((other) => other.metric === metric) === index;
    return {
      key: formatKey(column),
      label: isFirst ? metricLabels[metric] : formatLabel(column.path),
      unit,
      ...(isFirst && { metric }),
      points,
    };
  });
  return [
    ...series,
    ...derivePercentSeries('memory', stated, series),
    ...derivePercentSeries('disk', stated, series),
  ];
}

/** Returns whether a disk always reads 0. No disk is empty, so the service can't look into this one. */
function isEmptyDisk({ meaning, points }: MeasuredColumn, values: readonly SeriesPoint[]): boolean {
  const isUsed = meaning?.subject === 'disk' && !isFreeOrTotal(meaning);
  return (
    isUsed &&
    points.some(({ quantity }) => quantity?.value === 0) &&
    values.every(({ value }) => value === null || value === 0)
  );
}

/** If more than this share of a column's points are implausible, the column isn't used for its metric. */
const maxImplausibleShare = 0.1;

/**
 * Removes the used amount and the total if more is used than the total: then it's unknown which one
 * is wrong.
 */
function withoutOverflow(built: readonly BuiltColumn[]): readonly BuiltColumn[] {
  const overflowing = (['memory', 'disk'] as const).filter((subject) => {
    const used = built.find(({ metric }) => metric === `${subject}Used`);
    const total = built.find(({ metric }) => metric === `${subject}Total`);
    if (!used || !total) return false;
    const totals = new Map(total.points.map(({ timeMs, value }) => [timeMs, value]));
    const both = used.points.filter(({ timeMs, value }) => value !== null && (totals.get(timeMs) ?? 0) > 0);
    const wrong = both.filter(
      ({ timeMs, value }) => calculatePercent(value ?? 0, totals.get(timeMs) ?? 0) === undefined,
    );
    return wrong.length > both.length * maxImplausibleShare;
  });
  return built.map((one) => {
    const isOver = overflowing.some((subject) => one.metric?.startsWith(subject));
    return isOver && one.unit === 'bytes' ? { ...one, metric: undefined } : one;
  });
}

/** Turns an unknown field name into a readable label. */
function formatLabel(path: readonly string[]): string {
  const text = path
    .join(' ')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[\s_.-]+/u)
    .filter((word) => word !== '')
    .join(' ');
  return text === '' ? 'Value' : text.charAt(0).toUpperCase() + text.slice(1);
}

interface ValueReader {
  readonly unit: RrdSeries['unit'];
  readonly metric?: RrdMetric;
  readonly read: (measured: Measurement) => number | undefined;
}

const plainReader: ValueReader = { unit: 'number', read: ({ quantity }) => quantity.value };

/** Returns whether more points than measuring errors explain can't be true for the metric. */
function isFlawed(column: MeasuredColumn, { metric, unit, read }: ValueReader): boolean {
  if (metric === undefined) return false;
  const values = listMeasurements(column).flatMap((measured) => read(measured) ?? []);
  const wrong = values.filter((value) => value !== 0 && !canBeTrue(metric, unit, value));
  return wrong.length > values.length * maxImplausibleShare;
}

/** A flow since the start isn't in the unit of its reading, which is a rate. */
function canBeTrue(metric: RrdMetric, unit: RrdSeries['unit'], value: number): boolean {
  const reading = seriesReadings[metric];
  return reading.unit === unit ? isPlausible(reading, value) : value >= 0;
}

function createValueReader(column: MeasuredColumn, context: SeriesContext): ValueReader {
  const subject = column.meaning?.subject;
  const plain = plainReader;
  if (subject === undefined || subject === 'cores' || subject === 'cpuLimit') return plain;
  if (subject === 'cpu') return createPercentReader(column, 'cpu', context) ?? plain;
  if (subject === 'memory' || subject === 'disk') {
    return (
      createPercentReader(column, subject, context) ?? createBytesReader(column, subject, context) ?? plain
    );
  }
  return createFlowReader(column, subject, context) ?? plain;
}

function createFlowReader(
  column: MeasuredColumn,
  metric: RrdMetric,
  context: SeriesContext,
): ValueReader | undefined {
  const first = findFirstMeasurement(column);
  const flow = first && toFlow(first);
  if (first && flow === undefined) return undefined;
  const per = flow?.per === 'unknown' ? context.periodOf(column) : (flow?.per ?? 'second');
  if (per === undefined) return undefined;
  const read = (measured: Measurement) => {
    const bytes = toFlow(measured)?.bytes;
    return bytes !== undefined && bytes >= 0 ? bytes : undefined;
  };
  if (per === 'second') return { unit: 'bytesPerSecond', metric, read };
  // Amounts for each point, such as for a day, are neither a rate nor a counter.
  return isCounter(listValues(column)) ? { unit: 'bytes', metric, read } : { unit: 'bytes', read };
}

function createPercentReader(
  column: MeasuredColumn,
  metric: 'cpu' | 'memory' | 'disk',
  context: SeriesContext,
): ValueReader | undefined {
  if (column.meaning !== undefined && isFreeOrTotal(column.meaning)) return undefined;
  const all = listMeasurements(column);
  const scale = context.scaleOf(column);
  const percentOf = (measured: Measurement) =>
    parseExplicitPercent(measured) ?? (scale === undefined ? undefined : measured.quantity.value * scale);
  const canBe = (percent: number) => isPlausiblePercent(metric, percent, context.maxCpuPercent);
  const percents = all.flatMap((measured) => percentOf(measured) ?? []);
  const wrong = percents.filter((percent) => percent !== 0 && !canBe(percent));
  if (percents.length < all.length || wrong.length > all.length * maxImplausibleShare) return undefined;
  return {
    unit: 'percent',
    metric,
    read: (measured) => {
      const percent = percentOf(measured);
      return percent !== undefined && canBe(percent) ? percent : undefined;
    },
  };
}

/** Returns how to read a column of amounts as bytes, or undefined if they can't be bytes. */
function createBytesReader(
  column: MeasuredColumn,
  subject: 'memory' | 'disk',
  context: SeriesContext,
): ValueReader | undefined {
  const isInBytes = context.inBytes.has(subject);
  const all = listMeasurements(column);
  if (!all.some((measured) => toBytes(measured, isInBytes) && measured.quantity.value !== 0))
    return undefined;
  const role = column.meaning?.role ?? 'used';
  const isUsed = role === 'used' || role === 'usage';
  const read = (measured: Measurement) => {
    const bytes = toBytes(measured, isInBytes) ?? measured.quantity.value;
    return bytes < 0 || (bytes === 0 && isUsed && subject === 'disk') ? undefined : bytes;
  };
  if (role === 'free') return { unit: 'bytes', read };
  // A bare amount that never changes can also be the size.
  const isBare = column.meaning?.role === undefined && !context.hasTotal(subject) && isConstant(column);
  if (isBare) return { unit: 'bytes', read };
  return { unit: 'bytes', metric: `${subject}${isUsed ? 'Used' : 'Total'}`, read };
}

function isConstant(column: MeasuredColumn): boolean {
  return new Set(listValues(column)).size === 1;
}

function readPointValue(
  { quantity }: MeasuredPoint,
  { meaning }: MeasuredColumn,
  read: ValueReader['read'],
): number | null {
  if (quantity === undefined) return null;
  const value = meaning === undefined ? quantity.value : read({ meaning, quantity });
  return value !== undefined && Number.isFinite(value) ? value : null;
}

/**
 * Calculates a percentage from used and total amounts. Unknown units are fine if neither amount has
 * a unit.
 */
function derivePercentSeries(
  subject: 'memory' | 'disk',
  built: readonly BuiltColumn[],
  series: readonly RrdSeries[],
): readonly RrdSeries[] {
  if (series.some(({ metric }) => metric === subject)) return [];
  const own = built.filter(({ column }) => column.meaning?.subject === subject);
  const total =
    built.find(({ metric }) => metric === `${subject}Total`) ??
    own.find(({ column }) => isTotal(column.meaning));
  const isUsed = ({ column, unit }: BuiltColumn) => {
    const role = column.meaning?.role;
    if (role === 'used') return true;
    // A small number beside a total can be an amount or a percentage.
    return !(column.meaning && isFreeOrTotal(column.meaning)) && (unit === 'bytes' || hasLargeValue(column));
  };
  const used = built.find(({ metric }) => metric === `${subject}Used`) ?? own.find(isUsed);
  if (used === undefined || total === undefined || used.unit !== total.unit) return [];
  const totals = new Map(total.points.map(({ timeMs, value }) => [timeMs, value]));
  const points = used.points.map(({ timeMs, value }): SeriesPoint => {
    const percent = calculatePercent(value ?? undefined, totals.get(timeMs) ?? undefined);
    return { timeMs, value: percent ?? null };
  });
  if (points.every(({ value }) => value === null)) return [];
  return [{ key: subject, label: metricLabels[subject], unit: 'percent', metric: subject, points }];
}

function hasLargeValue(column: MeasuredColumn): boolean {
  return listValues(column).some((value) => value > 100);
}

function isTotal(meaning: FieldMeaning | undefined): boolean {
  return meaning?.role === 'total' || meaning?.role === 'limit';
}

function isFreeOrTotal(meaning: FieldMeaning): boolean {
  return meaning.role === 'free' || isTotal(meaning);
}
