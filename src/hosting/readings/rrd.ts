import { looksSecret } from '../secrets.ts';
import { asRest } from './lists.ts';
import { meaningOf } from './measures.ts';
import { quantityOf } from './numbers.ts';
import { isEmpty, isOfAnother, isVpsName, type ServiceRecord } from './records.ts';
import { orderPoints } from './rrd-order.ts';
import { type Column, findColumns } from './rrd-points.ts';
import { measureColumns } from './rrd-series.ts';

/** What a series measures, where its name tells: `cpu`, `memory` and `disk` in percent, the others in bytes or bytes per second. */
export type Measure =
  | 'cpu'
  | 'memory'
  | 'memoryUsed'
  | 'memoryTotal'
  | 'disk'
  | 'diskUsed'
  | 'diskTotal'
  | 'networkIn'
  | 'networkOut'
  | 'diskRead'
  | 'diskWrite';

export interface SeriesPoint {
  /** In ms since the epoch. */
  readonly timeMs: number;
  /** `null` where nothing was measured. */
  readonly value: number | null;
}

export interface RrdSeries {
  /** The service's own name of the series, its places joined by dots; `memory` or `disk` for a share that is worked out. */
  readonly key: string;
  /** For people. */
  readonly label: string;
  readonly unit: 'percent' | 'bytes' | 'bytesPerSecond' | 'number';
  readonly measure?: Measure;
  /** Oldest first, each time once; a hole in regular points is a point without a value. */
  readonly points: readonly SeriesPoint[];
}

export interface RrdReading {
  readonly series: readonly RrdSeries[];
  /** What came beside the points, and what came in them that is no number. */
  readonly rest: ServiceRecord;
}

/**
 * Reads the history of a VPS from rows, columns, or points for each series. Where the payload is about several VPS, only what
 * belongs to `vpsName` counts; without it, each has series of its own.
 */
export function readRrd(data: unknown, vpsName?: string): RrdReading {
  const found = findColumns(data);
  const columns = ofOneVps(found.columns, vpsName);
  const numeric = columns.filter((column) => isNumeric(column) && !column.path.some(looksSecret));
  const measured = numeric.map(({ path, points }) => ({
    path,
    meaning: meaningOf(path),
    points: orderPoints(points.map(({ timeMs, value }) => ({ timeMs, quantity: quantityOf(value) }))),
  }));
  const strays = columns.flatMap((column) => straysOf(column, numeric.includes(column)));
  return { series: measureColumns(measured), rest: withStrays(asRest(found.rest), strays) };
}

function ofOneVps(columns: readonly Column[], vpsName: string | undefined): readonly Column[] {
  const own = columns.filter(({ path }) => !isOfAnother(path, vpsName));
  const names = new Set(own.flatMap(({ path }) => path.filter(isVpsName)));
  if (names.size > 1) return own;
  return own.map(({ path, points }) => ({
    path: path.filter((field): boolean => !isVpsName(field)),
    points,
  }));
}

/** How services write that nothing was measured. */
const gap = /^(nan|-|–|n\/?a|null|none|u|unknown|)$/i;

function isGap(value: unknown): boolean {
  return isEmpty(value) || (typeof value === 'string' && gap.test(value.trim()));
}

/** A series has a number somewhere, or nothing at all. */
function isNumeric({ points }: Column): boolean {
  return (
    points.some(({ value }) => quantityOf(value) !== undefined) || points.every(({ value }) => isGap(value))
  );
}

/** What stands in points and is not part of a series, each value once. */
function straysOf({ path, points }: Column, isSeries: boolean): [string, unknown][] {
  const values = points.map(({ value }) => value);
  const strays = values.filter((value) => !isGap(value) && !(isSeries && quantityOf(value) !== undefined));
  const once = [...new Set(strays)];
  return once.length === 0 ? [] : [[path.join('.') || 'value', once.length === 1 ? once[0] : once]];
}

function withStrays(rest: ServiceRecord, strays: readonly [string, unknown][]): ServiceRecord {
  if (strays.length === 0) return rest;
  let field = 'points';
  while (field in rest) field += ' ';
  return { ...rest, [field]: Object.fromEntries(strays) };
}
