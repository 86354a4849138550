import { isSecretFieldName } from '../secret-detection.ts';
import { saysNone } from './entries.ts';
import { formatAddress } from './field-mapping.ts';
import { isWrapperField } from './field-words.ts';
import { type Figure, type LikelyFigure, readFigures } from './figures.ts';
import { formatMetric, type KnownValue, type RrdMetric, seriesValues } from './known-values.ts';
import { openMatcher } from './matcher.ts';
import { parseQuantity, parseTimeMs, parseUnit } from './quantity.ts';
import {
  findFields,
  findText,
  findValues,
  isEmpty,
  isRecord,
  normalizeFieldName,
  type ServiceRecord,
  toOtherFields,
  toText,
  words,
} from './record.ts';
import { isAboutAnotherVps, isOnlyOfOtherVps, isVpsName } from './vps-name.ts';

export interface SeriesPoint {
  /** Time in epoch ms. */
  readonly timeMs: number;
  /** `null` if there is no measurement. */
  readonly value: number | null;
}

export interface RrdSeries {
  /** The field's address, as in a field mapping; for a calculated percentage, `memory` or `disk`. */
  readonly key: string;
  readonly label: string;
  readonly unit: 'percent' | 'bytes' | 'bytesPerSecond' | 'number';
  /** Set only if the unit is known. */
  readonly metric?: RrdMetric;
  /** Oldest first, with distinct times. */
  readonly points: readonly SeriesPoint[];
}

export interface RrdHistory {
  readonly series: readonly RrdSeries[];
  readonly likely?: readonly LikelyFigure[];
  /** Whether the service says that there are no points, because the payload has only empty lists. */
  readonly isEmpty?: boolean;
  /** The payload without the points and the fields that describe them. */
  readonly otherFields: ServiceRecord;
}

interface NumericColumn {
  readonly key: string;
  readonly figure: Figure;
  readonly points: readonly { readonly timeMs: number; readonly number: number | undefined }[];
}

/**
 * Reads a VPS's history from rows, columns, or a list of points per series. If the payload covers several
 * VPS, uses only the values for `vpsName`; without `vpsName`, each VPS gets its own series.
 */
export function readRrdHistory(data: unknown, vpsName?: string): RrdHistory {
  if (isOnlyOfOtherVps(data, vpsName)) return { series: [], otherFields: toOtherFields(data) };
  const found = findColumns(data);
  const columns = filterByVps(found.columns, vpsName).flatMap(toNumeric);
  const byFigure = new Map(columns.map((column) => [column.figure, column]));
  const matcher = openMatcher(data);
  const scope = { matcher, values: seriesValues, isRate: () => true };
  const { read, likely } = readFigures([...byFigure.keys()], scope);
  const series = read.flatMap(({ metric, figures, toValue }): RrdSeries[] => {
    const [first, ...others] = figures.flatMap((figure) => byFigure.get(figure) ?? []);
    const points = first ? combine([first, ...others], toValue) : [];
    if (!first || !isMostlyRead(first, points)) return [];
    const last = points.findLast(({ value }) => value !== null)?.value ?? 0;
    for (const { path } of figures) matcher.note(seriesValues[metric], path, last);
    const key = others.length === 0 ? first.key : metric;
    const unit = toSeriesUnit(seriesValues[metric]);
    return [{ key, label: formatMetric(metric), unit, metric, points }];
  });
  // A disk usage that's always 0 means that the service can't look into the disk.
  const unread = read.flatMap(({ metric, figures }) => (metric === 'diskUsed' ? figures : []));
  const isUnread = (figure: Figure) => unread.includes(figure) && figure.values.every((value) => value === 0);
  const others = columns.filter(
    ({ key, figure }) => !isUnread(figure) && !series.some((one) => one.key === key),
  );
  return {
    series: [...series, ...others.map(toPlainSeries)],
    likely,
    isEmpty: saysNone(data) && (Array.isArray(data) || !isEmpty(data)),
    otherFields: toOtherFields(found.rest),
  };
}

function filterByVps(columns: readonly Column[], vpsName: string | undefined): readonly Column[] {
  const own = columns.filter(({ path }) => !isAboutAnotherVps(path, vpsName));
  const names = new Set(own.flatMap(({ path }) => path.filter(isVpsName)));
  if (names.size > 1) return own;
  return own.map((column) => ({ ...column, path: column.path.filter((field) => !isVpsName(field)) }));
}

/** Matches what services write for a missing measurement. */
const gap = /^(nan|-|–|n\/?a|null|none|u|unknown|)$/i;

/**
 * Converts a column to numbers. Returns an empty array if the column contains text, mixes units, or may be a
 * secret.
 */
function toNumeric({ path, points: raw, unit: beside }: Column): readonly NumericColumn[] {
  const isGap = (value: unknown) => isEmpty(value) || (typeof value === 'string' && gap.test(value.trim()));
  const quantities = raw.map(({ timeMs, value }) => ({ timeMs, quantity: parseQuantity(value), value }));
  const isNumeric = quantities.every(({ quantity, value }) => quantity !== undefined || isGap(value));
  if (!isNumeric || path.some(isSecretFieldName)) return [];
  const units = new Set(quantities.flatMap(({ quantity }) => (quantity ? [quantity.unit ?? beside] : [])));
  // Numbers in different units can't be compared.
  if (units.size > 1) return [];
  const points = sortPoints(quantities.map(({ timeMs, quantity }) => ({ timeMs, number: quantity?.value })));
  const [unit] = units;
  const values = points.flatMap(({ number }) => number ?? []);
  return [{ key: formatAddress(path) || 'value', figure: { path, values, unit }, points }];
}

/** Maximum share of implausible points. A column with more isn't used for its metric. */
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

/** Converts a column to a series under its own name, in its own unit if known. */
function toPlainSeries({ key, figure, points }: NumericColumn): RrdSeries {
  const unit = figure.unit === undefined ? undefined : parseUnit(figure.unit);
  const isShown = unit !== undefined && unit.dimension !== 'seconds';
  const factor = isShown ? unit.factor : 1;
  return {
    key,
    label: figure.unit === undefined || isShown ? key : `${key} (${figure.unit})`,
    unit: isShown ? unit.dimension : 'number',
    points: points.map(({ timeMs, number }) => ({
      timeMs,
      value: number === undefined ? null : number * factor,
    })),
  };
}

/** Sorts points, oldest first. Among several at the same time, keeps the last one with a number. */
function sortPoints(points: NumericColumn['points']): NumericColumn['points'] {
  const byTime = new Map<number, NumericColumn['points'][number]>();
  for (const point of points)
    if (point.number !== undefined || !byTime.has(point.timeMs)) byTime.set(point.timeMs, point);
  return [...byTime.values()].toSorted((a, b) => a.timeMs - b.timeMs);
}

interface RawPoint {
  readonly timeMs: number;
  readonly value: unknown;
}

/** Values over time with the same path in the payload. */
interface Column {
  /** Field names without wrapper fields, but including VPS names. */
  readonly path: readonly string[];
  readonly points: RawPoint[];
  /** The unit given next to the points. */
  readonly unit?: string | undefined;
}

/** The names and the unit that outer fields define for the values inside them. */
interface Context {
  readonly path: readonly string[];
  readonly depth: number;
  readonly unit?: string | undefined;
}

type AddPoint = (path: readonly string[], point: RawPoint, unit: string | undefined) => void;

const maxDepth = 7;

const timeFields = words('time timestamp ts datetime date at clock epoch t x');
const measuredAt =
  /^(log(ged)?|sampled?|measured?|measurement|record(ed)?|collect(ed|ion)?|captured?|observed|report(ed)?|polled|taken)(at|on|time|date|timestamp)$/;
const unitFields = words('unit units');
/** Fields that describe the points next to them. */
const structureFields = [
  ...words('step interval resolution start starttime from begin since end endtime to until last'),
  ...unitFields,
];
const nameFields = words('name metric metricname label key id field ds title target');
const averageFields = words('avg average mean');
const valueFields = [...words('value val v y'), ...averageFields];
const pointsFields = words('points datapoints data values series datasets rows samples');

/**
 * Finds all values with a time, in rows with a time field or in pairs of time and value. `rest` is the payload
 * without these values and the fields that describe them.
 */
function findColumns(data: unknown): { readonly columns: readonly Column[]; readonly rest: unknown } {
  const columns = new Map<string, Column>();
  const add: AddPoint = (path, point, unit) => {
    const last = path.length - 1;
    const names = path.filter((field, index) => index === last || isVpsName(field) || !isWrapperField(field));
    const key = names.join('\n');
    const column = columns.get(key) ?? { path: names, points: [], unit };
    columns.set(key, column);
    column.points.push(point);
  };
  const rest = extract(data, { path: [], depth: 0 }, add);
  // A column that only repeats its points' times, such as the ends of intervals, is left out.
  const isTime = ({ timeMs, value }: RawPoint) =>
    Math.abs((parseTimeMs(value) ?? Number.POSITIVE_INFINITY) - timeMs) <= 86_400_000;
  return { rest, columns: [...columns.values()].filter(({ points }) => !points.every(isTime)) };
}

/** Adds the points found in a value. Returns the value without them, or undefined if nothing is left. */
function extract(value: unknown, context: Context, add: AddPoint): unknown {
  if (context.depth > maxDepth) return value;
  const inside = { ...context, depth: context.depth + 1 };
  if (Array.isArray(value)) return extractList(value, inside, add);
  return isRecord(value) ? extractRecord(value, inside, add) : value;
}

/** Adds the points in pairs and rows, and those nested in other items. */
function extractList(list: readonly unknown[], context: Context, add: AddPoint): unknown {
  const pairs = parsePairs(list);
  for (const point of pairs) add(context.path, point, context.unit);
  if (pairs.length > 0) return undefined;
  const left = list.flatMap((item: unknown, index) => {
    const timeMs = isRecord(item) ? findTimeMs(item) : undefined;
    if (isRecord(item) && timeMs !== undefined) {
      extractRow(item, timeMs, context, add);
      return [];
    }
    const ordinal = list.length > 1 ? String(index + 1) : undefined;
    const name = isRecord(item) ? (findItemName(item) ?? ordinal) : undefined;
    const path = name === undefined ? context.path : [...context.path, name];
    const rest = extract(item, { ...context, path }, add);
    const isOnlyName = isRecord(rest) && Object.values(rest).every((value) => value === name);
    return isOnlyName || rest === undefined ? [] : [rest];
  });
  return left.length === 0 ? undefined : left;
}

/** Parses a list of pairs of time and value. Returns nothing for any other list. */
function parsePairs(list: readonly unknown[]): readonly RawPoint[] {
  const points = list.flatMap((item) => {
    const timeMs = Array.isArray(item) && item.length === 2 ? parseTimeMs(item[0]) : undefined;
    return Array.isArray(item) && timeMs !== undefined ? [{ timeMs, value: item[1] as unknown }] : [];
  });
  const steps = points.slice(1).map(({ timeMs }, index) => timeMs - (points[index]?.timeMs ?? timeMs));
  const isInOrder = steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
  return points.length === list.length && isInOrder ? points : [];
}

/** Returns a list item's name, which can be in its labels. */
function findItemName(item: ServiceRecord): string | undefined {
  const [labels] = findValues(item, ['metric', 'labels', 'tags']).filter(isRecord);
  const inLabels = Object.values(labels ?? {}).flatMap((label) => toText(label) ?? []);
  return findText(item, nameFields) ?? (inLabels.join(' ') || undefined);
}

function extractRecord(record: ServiceRecord, context: Context, add: AddPoint): unknown {
  const metric = context.path.length === 0 ? findText(record, ['metric', 'metricname']) : undefined;
  const outer = metric === undefined ? context.path : [metric];
  const unit = findText(record, unitFields) ?? context.unit;
  let hasPoints = false;
  const addOwn: AddPoint = (...point) => {
    hasPoints = true;
    add(...point);
  };
  const rest = Object.entries(record).map(([field, value]) => {
    const isOwnValue = isValueField(field, record) || pointsFields.includes(normalizeFieldName(field));
    const path = isOwnValue ? outer : [...outer, field];
    return [field, extract(value, { ...context, unit, path }, addOwn)] as const;
  });
  const left = rest.filter(([field, value]) => {
    // If there are no points, fields that would describe points are shown too.
    const isDescription =
      hasPoints && typeof value !== 'object' && structureFields.includes(normalizeFieldName(field));
    return value !== undefined && !isDescription;
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** Adds all values at one point in time, including nested ones. */
function extractRow(row: ServiceRecord, timeMs: number, context: Context, add: AddPoint): void {
  // Checks only whether the field exists, because a row that has a name can lack its value.
  const hasValue = Object.keys(row).some((field) => valueFields.includes(normalizeFieldName(field)));
  const name = hasValue ? findText(row, nameFields) : undefined;
  const unit = (hasValue ? findText(row, unitFields) : undefined) ?? context.unit;
  for (const [field, value] of Object.entries(row)) {
    const isUnit = hasValue && unitFields.includes(normalizeFieldName(field));
    const isTime = isTimeField(field) && parseTimeMs(value) === timeMs;
    if (isUnit || isTime || (name !== undefined && value === name)) continue;
    const isOwnValue = isValueField(field, row) && (name !== undefined || context.path.length > 0);
    const path = [...context.path, ...(name === undefined ? [] : [name]), ...(isOwnValue ? [] : [field])];
    const isNested = isRecord(value) && parseQuantity(value) === undefined && path.length < maxDepth;
    if (isNested) extractRow(value, timeMs, { ...context, path, unit }, add);
    else add(path, { timeMs, value }, unit);
  }
}

/**
 * Returns whether a field holds its record's value. An average beside a maximum or minimum doesn't count:
 * it keeps its name, so the maximum and minimum aren't mistaken for sizes.
 */
function isValueField(field: string, record: ServiceRecord): boolean {
  const name = normalizeFieldName(field);
  const isOneOfSeveral =
    averageFields.includes(name) && findFields(record, ['max', 'maximum', 'min', 'minimum']).length > 0;
  return valueFields.includes(name) && !isOneOfSeveral;
}

function isTimeField(field: string): boolean {
  const name = normalizeFieldName(field);
  return timeFields.includes(name) || measuredAt.test(name);
}

function findTimeMs(row: ServiceRecord): number | undefined {
  return Object.keys(row)
    .filter(isTimeField)
    .map((field) => parseTimeMs(row[field]))
    .find((timeMs) => timeMs !== undefined);
}
