import { isSecretFieldName } from '../secret-detection.ts';
import { formatAddress } from './field-address.ts';
import { type Figure, readFigures } from './figures.ts';
import { type KnownValue, type RrdMetric, seriesValues } from './known-values.ts';
import { openMatcher } from './matcher.ts';
import { type Column, findColumns } from './points.ts';
import { parseQuantity, parseUnit } from './quantity.ts';
import { isEmpty, isRecord, type ServiceRecord, toOtherFields } from './record.ts';
import { isAboutAnotherVps, isOnlyOfOtherVps, isVpsName } from './vps-name.ts';

export interface SeriesPoint {
  /** Time in epoch ms. */
  readonly timeMs: number;
  /** `null` if there is no measurement. */
  readonly value: number | null;
}

export interface RrdSeries {
  /** The field as a field mapping names it. A calculated percentage has `memory` or `disk` instead. */
  readonly key: string;
  /** For display. */
  readonly label: string;
  readonly unit: 'percent' | 'bytes' | 'bytesPerSecond' | 'number';
  /** Set only if the unit is known. */
  readonly metric?: RrdMetric;
  /** Oldest first, with distinct times. A gap between regular points is a point without a value. */
  readonly points: readonly SeriesPoint[];
}

export interface RrdHistory {
  readonly series: readonly RrdSeries[];
  /** Series without a unit that are a metric if a person confirms their unit. */
  readonly likely?: readonly LikelySeries[];
  /** Whether the service says that there are no points: the payload has only empty lists. */
  readonly isEmpty?: boolean;
  /** The payload without the points and what describes them. */
  readonly otherFields: ServiceRecord;
}

/** A series without a unit, and the units that it can have. */
export interface LikelySeries {
  readonly metric: RrdMetric;
  readonly field: string;
  /** The last measured number. */
  readonly number: number;
  readonly units: readonly string[];
}

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

/** A column of numbers. */
interface NumericColumn {
  readonly key: string;
  readonly figure: Figure;
  readonly points: readonly { readonly timeMs: number; readonly number: number | undefined }[];
}

/**
 * Reads the history of a VPS from rows, columns, or a list of points per series. If the payload is
 * about several VPS, only the values of `vpsName` are used; without `vpsName`, each VPS gets its
 * own series.
 */
export function readRrdHistory(data: unknown, vpsName?: string): RrdHistory {
  if (isOnlyOfOtherVps(data, vpsName)) return { series: [], otherFields: toOtherFields(data) };
  const found = findColumns(data);
  const columns = filterByVps(found.columns, vpsName).flatMap(toNumeric);
  const byFigure = new Map(columns.map((column) => [column.figure, column]));
  const matcher = openMatcher(data);
  const scope = { matcher, values: seriesValues, isRate: () => true };
  const { read, likely } = readFigures([...byFigure.keys()], scope);
  const built = read.flatMap(({ metric, figures, toValue }): RrdSeries[] => {
    const [first, ...others] = figures.flatMap((figure) => byFigure.get(figure) ?? []);
    const points = first ? combine([first, ...others], toValue) : [];
    if (!first || !isMostlyRead(first, points)) return [];
    const last = points.findLast(({ value }) => value !== null)?.value ?? 0;
    for (const { path } of figures) matcher.note(seriesValues[metric], path, last);
    const key = others.length === 0 ? first.key : metric;
    const unit = toSeriesUnit(seriesValues[metric]);
    return [{ key, label: metricLabels[metric], unit, metric, points }];
  });
  const metrics = new Set<string | undefined>();
  const series = built.filter(({ metric }) => !metrics.has(metric) && metrics.add(metric));
  // A disk that always reads 0 is one that the service can't look into.
  const isUnreadDisk = (figure: Figure) =>
    figure.values.every((value) => value === 0) &&
    read.some(({ metric, figures }) => metric === 'diskUsed' && figures.includes(figure));
  const others = columns.filter(
    ({ key, figure }) => !isUnreadDisk(figure) && !series.some((one) => one.key === key),
  );
  return {
    series: [...series, ...others.map(toPlainSeries)],
    likely: likely.flatMap(({ metric, figure, units }): LikelySeries[] => {
      const number = figure.values.at(-1);
      const field = byFigure.get(figure)?.key;
      return number === undefined || field === undefined ? [] : [{ metric, field, number, units }];
    }),
    isEmpty: hasOnlyEmptyLists(data),
    otherFields: toOtherFields(found.rest),
  };
}

/** Returns whether a payload has lists, and all of them are empty. */
function hasOnlyEmptyLists(data: unknown): boolean {
  const lengths = (value: unknown): readonly number[] =>
    Array.isArray(value) ? [value.length] : isRecord(value) ? Object.values(value).flatMap(lengths) : [];
  const all = lengths(data);
  return all.length > 0 && all.every((length) => length === 0);
}

function filterByVps(columns: readonly Column[], vpsName: string | undefined): readonly Column[] {
  const own = columns.filter(({ path }) => !isAboutAnotherVps(path, vpsName));
  const names = new Set(own.flatMap(({ path }) => path.filter(isVpsName)));
  if (names.size > 1) return own;
  return own.map((column) => ({ ...column, path: column.path.filter((field) => !isVpsName(field)) }));
}

/** How services write that a measurement is missing. */
const gap = /^(nan|-|–|n\/?a|null|none|u|unknown|)$/i;

/** Converts a column to numbers. Returns nothing for a column of texts, and for a possible secret. */
function toNumeric({ path, points: raw, unit: beside }: Column): readonly NumericColumn[] {
  const isGap = (value: unknown) => isEmpty(value) || (typeof value === 'string' && gap.test(value.trim()));
  const quantities = raw.map(({ timeMs, value }) => ({ timeMs, quantity: parseQuantity(value), value }));
  const isNumeric = quantities.every(({ quantity, value }) => quantity !== undefined || isGap(value));
  if (!isNumeric || path.some(isSecretFieldName)) return [];
  const units = new Set(quantities.flatMap(({ quantity }) => (quantity ? [quantity.unit ?? beside] : [])));
  // Numbers of different units can't be compared.
  if (units.size > 1) return [];
  const points = normalizePoints(
    quantities.map(({ timeMs, quantity }) => ({ timeMs, number: quantity?.value })),
  );
  const [unit] = units;
  const values = points.flatMap(({ number }) => number ?? []);
  return [{ key: formatAddress(path) || 'value', figure: { path, values, unit }, points }];
}

/** If more than this share of a column's points can't be true, the column isn't used for its metric. */
const maxImplausibleShare = 0.1;

function isMostlyRead({ figure }: NumericColumn, points: readonly SeriesPoint[]): boolean {
  const known = points.filter(({ value }) => value !== null).length;
  const zeros = figure.values.filter((value) => value === 0).length;
  return known > 0 && known + zeros >= figure.values.length * (1 - maxImplausibleShare);
}

function combine(
  [first, ...others]: readonly [NumericColumn, ...NumericColumn[]],
  toValue: (...numbers: readonly (number | undefined)[]) => number | undefined,
): readonly SeriesPoint[] {
  const byTime = others.map(({ points }) => new Map(points.map(({ timeMs, number }) => [timeMs, number])));
  return first.points.map(({ timeMs, number }) => {
    const value = number === undefined ? undefined : toValue(number, ...byTime.map((one) => one.get(timeMs)));
    return { timeMs, value: value ?? null };
  });
}

function toSeriesUnit({ unit }: KnownValue): RrdSeries['unit'] {
  return unit === undefined || unit === 'seconds' ? 'number' : unit;
}

/** Shows a column under its own name, in its own unit if that is known. */
function toPlainSeries({ key, figure, points }: NumericColumn): RrdSeries {
  const unit = figure.unit === undefined ? undefined : parseUnit(figure.unit);
  const isShown = unit !== undefined && unit.dimension !== 'seconds';
  const suffix = figure.unit !== undefined && !isShown ? ` (${figure.unit})` : '';
  return {
    key,
    label: `${formatLabel(figure.path)}${suffix}`,
    unit: isShown ? unit.dimension : 'number',
    points: points.map(({ timeMs, number = null }) => ({
      timeMs,
      value: number !== null && isShown ? number * unit.factor : number,
    })),
  };
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

/** Points are regular if at least this share of their distances are equal, within the tolerance. */
const minRegularRatio = 0.75;
const stepTolerance = 0.1;
/** A distance longer than this many regular steps is a gap. */
const gapSteps = 1.5;

type NumberPoint = NumericColumn['points'][number];

/**
 * Sorts points, oldest first. If several points have the same time, the last one with a number is
 * kept. A gap between regular points becomes a point without a number.
 */
function normalizePoints(points: readonly NumberPoint[]): readonly NumberPoint[] {
  const byTime = new Map<number, NumberPoint>();
  for (const point of points)
    if (point.number !== undefined || !byTime.has(point.timeMs)) byTime.set(point.timeMs, point);
  const ordered = [...byTime.values()].toSorted((a, b) => a.timeMs - b.timeMs);
  const stepMs = findRegularStepMs(ordered);
  if (stepMs === undefined) return ordered;
  return ordered.flatMap((point, index) => {
    const previousMs = ordered[index - 1]?.timeMs ?? point.timeMs;
    const isGap = point.timeMs - previousMs > stepMs * gapSteps;
    return isGap ? [{ timeMs: previousMs + stepMs, number: undefined }, point] : [point];
  });
}

function findRegularStepMs(ordered: readonly NumberPoint[]): number | undefined {
  const distances = ordered.slice(1).map(({ timeMs }, index) => timeMs - (ordered[index]?.timeMs ?? timeMs));
  const middle = distances.toSorted((a, b) => a - b)[Math.floor(distances.length / 2)];
  if (middle === undefined) return undefined;
  const alike = distances.filter((distance) => Math.abs(distance - middle) <= middle * stepTolerance);
  return alike.length >= distances.length * minRegularRatio ? middle : undefined;
}
