import type { Meaning } from './measures.ts';
import type { Measure, RrdSeries, SeriesPoint } from './rrd.ts';
import type { MeasuredPoint } from './rrd-order.ts';
import { areFractions, areTotals, bytesIn, flowIn, isBare, type Measured, toldPercent } from './shares.ts';

/** Points under one name, in order, with what the name says about them. */
export interface MeasuredColumn {
  readonly path: readonly string[];
  readonly meaning: Meaning | undefined;
  readonly points: readonly MeasuredPoint[];
}

const labels: Readonly<Record<Measure, string>> = {
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

/** Makes series of columns: says what they measure and in which unit, and works out the shares of memory and disk where they are missing. */
export function measureColumns(columns: readonly MeasuredColumn[]): readonly RrdSeries[] {
  const context = contextOf(columns);
  const series: RrdSeries[] = [];
  for (const column of columns) {
    const { unit, measure, read } = readerOf(column, context);
    const isFirst = measure !== undefined && !series.some((other) => other.measure === measure);
    series.push({
      key: column.path.join('.') || 'value',
      label: isFirst ? labels[measure] : labelOf(column.path),
      unit,
      ...(isFirst && { measure }),
      points: column.points.map((point) => ({ timeMs: point.timeMs, value: valueAt(point, column, read) })),
    });
  }
  return [...series, ...missingShare('memory', columns, series), ...missingShare('disk', columns, series)];
}

/** For people, of a name that nobody has heard of. */
function labelOf(path: readonly string[]): string {
  const text = path
    .join(' ')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[\s_.-]+/u)
    .filter((word) => word !== '')
    .join(' ');
  return text === '' ? 'Value' : text.charAt(0).toUpperCase() + text.slice(1);
}

interface Context {
  /** By how much bare shares are to be multiplied. */
  readonly cpuScale: number;
  readonly otherScale: number;
  /** What is counted in a unit that nobody tells. */
  readonly unitless: ReadonlySet<string>;
  /** Whether flows that do not say so count from the start. */
  readonly areTotals: boolean;
}

interface Reader {
  readonly unit: RrdSeries['unit'];
  readonly measure?: Measure;
  readonly read: (measured: Measured) => number | undefined;
}

function readerOf(column: MeasuredColumn, context: Context): Reader {
  const subject = column.meaning?.subject;
  const first = firstMeasured(column);
  const plain: Reader = { unit: 'number', read: ({ quantity }) => quantity.value };
  if (subject === undefined || subject === 'cores') return plain;
  if (subject === 'cpu') return shareReader(column, 'cpu', context) ?? plain;
  if (subject === 'memory' || subject === 'disk') {
    return shareReader(column, subject, context) ?? amountReader(column, subject) ?? plain;
  }
  const flow = first && flowIn(first);
  if (first && flow === undefined) return plain;
  const isTotal = flow?.per === 'start' || (flow?.per === 'unknown' && context.areTotals);
  return {
    unit: isTotal ? 'bytes' : 'bytesPerSecond',
    measure: subject,
    read: (measured) => flowIn(measured)?.bytes,
  };
}

function shareReader(
  column: MeasuredColumn,
  measure: 'cpu' | 'memory' | 'disk',
  context: Context,
): Reader | undefined {
  if (column.meaning?.role === 'free' || column.meaning?.role === 'total') return undefined;
  const first = firstMeasured(column);
  const isTold = first !== undefined && toldPercent(first) !== undefined;
  if (isTold) return { unit: 'percent', measure, read: toldPercent };
  if (!isBareShare(column, context.unitless)) return undefined;
  const scale = measure === 'cpu' ? context.cpuScale : context.otherScale;
  return { unit: 'percent', measure, read: ({ quantity }) => quantity.value * scale };
}

/** An amount is in bytes if all its values are. */
function amountReader(column: MeasuredColumn, subject: 'memory' | 'disk'): Reader | undefined {
  const all = measuredOf(column);
  if (!isInBytes(all)) return undefined;
  const read = (measured: Measured) => bytesIn(measured) ?? measured.quantity.value;
  const role = column.meaning?.role ?? 'used';
  if (role === 'free') return { unit: 'bytes', read };
  return { unit: 'bytes', measure: `${subject}${role === 'total' ? 'Total' : 'Used'}`, read };
}

/** Bare numbers are bytes together: as soon as one of them can be nothing else. */
function isInBytes(all: readonly Measured[]): boolean {
  return all.some((measured) => bytesIn(measured) !== undefined && measured.quantity.value !== 0);
}

/** Tells whether a column could be a share without saying so. Small numbers beside a small total count in a unit that nobody tells. */
function isBareShare(column: MeasuredColumn, unitless: Context['unitless']): boolean {
  const { meaning } = column;
  const all = measuredOf(column);
  if (meaning === undefined || !all.every(isBare)) return false;
  if (meaning.subject === 'cpu') return true;
  const canBeShare = (meaning.subject === 'memory' || meaning.subject === 'disk') && !isOneSide(meaning);
  return canBeShare && !unitless.has(meaning.subject) && all.every(({ quantity }) => quantity.value <= 100);
}

function isOneSide({ role }: Meaning): boolean {
  return role === 'free' || role === 'total';
}

function contextOf(columns: readonly MeasuredColumn[]): Context {
  const unitless = new Set(
    columns.flatMap((column) => {
      const all = measuredOf(column);
      const isUnitless = column.meaning?.role === 'total' && all.every(isBare) && !isInBytes(all);
      return isUnitless ? column.meaning.subject : [];
    }),
  );
  const shares = columns.filter((column) => isBareShare(column, unitless));
  const cpus = shares.filter(({ meaning }) => meaning?.subject === 'cpu');
  const otherScale = areFractions(valuesOf(shares)) ? 100 : 1;
  const hasCores = columns.some(({ meaning }) => meaning?.subject === 'cores');
  const cpuScale = hasCores && areFractions(valuesOf(cpus)) ? 100 : otherScale;
  const flows = columns.filter((column) => {
    const first = firstMeasured(column);
    return first !== undefined && isFlow(first) && flowIn(first)?.per === 'unknown';
  });
  return { cpuScale, otherScale, unitless, areTotals: flows.every(neverFalls) && areTotals(valuesOf(flows)) };
}

function isFlow({ meaning: { subject } }: Measured): boolean {
  return subject.startsWith('network') || subject === 'diskRead' || subject === 'diskWrite';
}

function neverFalls(column: MeasuredColumn): boolean {
  const values = valuesOf([column]);
  return values.every((value, index) => value >= (values[index - 1] ?? value));
}

function valuesOf(columns: readonly MeasuredColumn[]): number[] {
  return columns.flatMap((column) => measuredOf(column).map(({ quantity }) => quantity.value));
}

function measuredOf({ meaning, points }: MeasuredColumn): Measured[] {
  if (meaning === undefined) return [];
  return points.flatMap(({ quantity }) => (quantity ? [{ meaning, quantity }] : []));
}

function firstMeasured(column: MeasuredColumn): Measured | undefined {
  return measuredOf(column)[0];
}

function valueAt(
  { quantity }: MeasuredPoint,
  { meaning }: MeasuredColumn,
  read: Reader['read'],
): number | null {
  if (quantity === undefined) return null;
  const value = meaning === undefined ? quantity.value : read({ meaning, quantity });
  return value !== undefined && Number.isFinite(value) ? value : null;
}

/** Works out the share of what is used of all there is. Of two bare amounts the unit need not be known. */
function missingShare(
  subject: 'memory' | 'disk',
  columns: readonly MeasuredColumn[],
  series: readonly RrdSeries[],
): readonly RrdSeries[] {
  if (series.some(({ measure }) => measure === subject)) return [];
  const used = seriesOf(columns, series, (meaning) => meaning.subject === subject && !isOneSide(meaning));
  const total = seriesOf(
    columns,
    series,
    (meaning) => meaning.subject === subject && meaning.role === 'total',
  );
  if (used === undefined || total === undefined || used.unit !== total.unit) return [];
  const totals = new Map(total.points.map(({ timeMs, value }) => [timeMs, value]));
  const points = used.points.map(({ timeMs, value }): SeriesPoint => {
    const all = totals.get(timeMs) ?? null;
    return { timeMs, value: value === null || all === null || all <= 0 ? null : (value / all) * 100 };
  });
  if (points.every(({ value }) => value === null)) return [];
  return [{ key: subject, label: labels[subject], unit: 'percent', measure: subject, points }];
}

function seriesOf(
  columns: readonly MeasuredColumn[],
  series: readonly RrdSeries[],
  isWanted: (meaning: Meaning) => boolean,
): RrdSeries | undefined {
  return series[columns.findIndex(({ meaning }) => meaning !== undefined && isWanted(meaning))];
}
