import { isWrapperField } from './field-words.ts';
import { parseNumber, parseQuantity, parseTimeMs } from './quantity.ts';
import {
  findFields,
  findText,
  findValues,
  isRecord,
  normalizeFieldName,
  type ServiceRecord,
  toText,
  words,
} from './record.ts';
import { isVpsName } from './vps-name.ts';

/** A value that hasn't been parsed yet, and its time. */
export interface RawPoint {
  readonly timeMs: number;
  readonly value: unknown;
}

/** Values over time that have the same path in the payload. */
export interface Column {
  /** Field names without wrapper fields, but including names of VPS. */
  readonly path: readonly string[];
  readonly points: RawPoint[];
  /** The unit that stands beside the points. */
  unit?: string | undefined;
}

/** The times, names and unit that outer fields define for the values inside them. */
interface Context {
  readonly path: readonly string[];
  readonly depth: number;
  readonly times?: readonly (number | undefined)[] | undefined;
  readonly names?: readonly (string | null)[] | undefined;
  readonly unit?: string | undefined;
}

type AddPoint = (path: readonly string[], point: RawPoint, unit: string | undefined) => void;

const maxDepth = 7;

const timeFields = words('time timestamp ts datetime date at clock epoch t x');
const measuredAt =
  /^(log(ged)?|sampled?|measured?|measurement|record(ed)?|collect(ed|ion)?|captured?|observed|report(ed)?|polled|taken)(at|on|time|date|timestamp)$/;
const timesFields = words(
  'time times timestamp timestamps ts datetime datetimes date dates labels t x categories',
);
const namesFields = words('legend columns fields names keys headers dsnames series');
const stepFields = words('step interval resolution stepseconds pointinterval');
const startFields = words('start starttime from begin since pointstart first');
const structureFields = [
  ...stepFields,
  ...startFields,
  ...words('end endtime to until pointend last unit units'),
];
const nameFields = words('name metric metricname label key id field ds title target');
const averageFields = words('avg average mean');
const valueFields = [...words('value val v y'), ...averageFields];
const pointsFields = words('points datapoints data values series datasets rows samples');
const unitFields = words('unit units');

/**
 * Finds all values that have a time, in rows or in columns. `rest` is the payload without them and
 * without the fields that describe them.
 */
export function findColumns(data: unknown): { readonly columns: readonly Column[]; readonly rest: unknown } {
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
  // A column that only repeats the times of its points, such as the end of the interval, isn't one.
  const isTime = ({ timeMs, value }: RawPoint) =>
    Math.abs((parseTimeMs(value) ?? Number.POSITIVE_INFINITY) - timeMs) <= 86_400_000;
  return { rest, columns: [...columns.values()].filter(({ points }) => !points.every(isTime)) };
}

/** Adds the points found in a value. Returns the value without them, or undefined if nothing is left. */
function extract(value: unknown, context: Context, add: AddPoint): unknown {
  if (context.depth > maxDepth) return value;
  if (Array.isArray(value))
    return extractList(value, context, add)
      ? undefined
      : extractItems(value, { ...context, depth: context.depth + 1 }, add);
  return isRecord(value) ? extractRecord(value, context, add) : value;
}

/** Adds the points of a column or of a list of lists. Returns false if the list is neither of these. */
function extractList(list: readonly unknown[], context: Context, add: AddPoint): boolean {
  const { times } = context;
  if (list.length === 0) return false;
  if (list.every(Array.isArray)) return extractTable(list, context, add);
  const isColumn =
    times?.length === list.length && list.every((item) => typeof item !== 'object' || item === null);
  if (isColumn) addColumn(list, times, context, add);
  return isColumn;
}

/**
 * Adds the points of a list of lists: pairs of time and value, or rows whose names are in the first
 * row or an outer field. Returns false if the names of several values aren't known.
 */
function extractTable(rows: readonly (readonly unknown[])[], context: Context, add: AddPoint): boolean {
  const [first = []] = rows;
  const hasHeader =
    first.length > 1 && first.every((cell) => typeof cell === 'string' && parseTimeMs(cell) === undefined);
  const body = hasHeader ? rows.slice(1) : rows;
  const names = hasHeader ? first.map(String) : context.names;
  const width = body[0]?.length ?? 0;
  const outer = context.times?.length === body.length ? context.times : undefined;
  const { times = outer, column: timeColumn } = findTimeColumn(body, names) ?? {};
  const columns = Array.from({ length: width }, (_, column) => column).filter(
    (column) => column !== timeColumn,
  );
  // The list of names can include that of the time column.
  const toName = (ordinal: number, column: number) => names?.[names.length >= width ? column : ordinal];
  if (!times || columns.length === 0 || (!names && columns.length > 1)) return false;
  for (const [ordinal, column] of columns.entries()) {
    const name = toName(ordinal, column);
    if (!name && columns.length > 1) continue;
    const values = body.map((row) => row[column]);
    addColumn(values, times, { ...context, path: name ? [...context.path, name] : context.path }, add);
  }
  return true;
}

function addColumn(
  values: readonly unknown[],
  times: readonly (number | undefined)[],
  { path, unit }: Context,
  add: AddPoint,
): void {
  for (const [index, value] of values.entries()) {
    const timeMs = times[index];
    if (timeMs !== undefined) add(path, { timeMs, value }, unit);
  }
}

/** Finds the times of rows in the column with a fitting name, or else in the first or last column. */
function findTimeColumn(rows: readonly (readonly unknown[])[], names: Context['names']) {
  const named = names?.findIndex((name) => name !== null && isTimeField(name)) ?? -1;
  for (const column of named >= 0 ? [named] : [0, (rows[0]?.length ?? 0) - 1]) {
    const times = rows.map((row) => parseTimeMs(row[column]));
    const known = times.flatMap((timeMs) => timeMs ?? []);
    const steps = known.slice(1).map((timeMs, index) => timeMs - (known[index] ?? timeMs));
    const isOrdered = steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
    if (known.length === rows.length && rows.length > 0 && isOrdered) return { times, column };
  }
  return undefined;
}

/** Adds the points of rows, and the points nested in other items. */
function extractItems(list: readonly unknown[], context: Context, add: AddPoint): unknown {
  const left = list.flatMap((item: unknown, index) => {
    const timeMs = isRecord(item) ? findTimeMs(item) : undefined;
    if (isRecord(item) && timeMs !== undefined) {
      extractRow(item, timeMs, context, add);
      return [];
    }
    const ordinal = list.length > 1 ? String(index + 1) : undefined;
    const name = isRecord(item) ? (findItemName(item) ?? ordinal) : undefined;
    const rest = extract(
      item,
      { ...context, path: name === undefined ? context.path : [...context.path, name] },
      add,
    );
    const isOnlyName = isRecord(rest) && Object.values(rest).every((value) => value === name);
    return isOnlyName || rest === undefined ? [] : [rest];
  });
  return left.length === 0 ? undefined : left;
}

/** Returns the name of a list's item. It can be in labels. */
function findItemName(item: ServiceRecord): string | undefined {
  const [labels] = findValues(item, ['metric', 'labels', 'tags']).filter(isRecord);
  const inLabels = Object.values(labels ?? {}).flatMap((label) => toText(label) ?? []);
  return findText(item, nameFields) ?? (inLabels.join(' ') || undefined);
}

function extractRecord(record: ServiceRecord, context: Context, add: AddPoint): unknown {
  const { field: timesField, times = context.times } = findTimes(record);
  const names = findNames(record) ?? context.names;
  const metric = context.path.length === 0 ? findText(record, ['metric', 'metricname']) : undefined;
  const outer = metric === undefined ? context.path : [metric];
  const unit = findText(record, unitFields) ?? context.unit;
  const inside: Context = { ...context, depth: context.depth + 1, times, names, unit };
  let hasPoints = false;
  const addOwn: AddPoint = (...point) => {
    hasPoints = true;
    add(...point);
  };
  const rest = Object.entries(record).map(([field, value]) => {
    const isOwnValue = isValueField(field, record) || pointsFields.includes(normalizeFieldName(field));
    const path = isOwnValue ? outer : [...outer, field];
    return { field, value, rest: field === timesField ? value : extract(value, { ...inside, path }, addOwn) };
  });
  // If there are no points, the fields that would describe them are shown too.
  const left = rest.flatMap(({ field, value, rest }): [string, unknown][] => {
    const isStructure = structureFields.includes(normalizeFieldName(field)) || /^\d{1,3}$/.test(field);
    const isUsed = field === timesField || value === names || (isStructure && typeof value !== 'object');
    return rest === undefined || (hasPoints && isUsed) ? [] : [[field, rest]];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** Adds all values of one point in time, including nested ones. */
function extractRow(row: ServiceRecord, timeMs: number, context: Context, add: AddPoint): void {
  // A row that consists of a name and a value can lack the value.
  const hasValue = Object.keys(row).some((field) => valueFields.includes(normalizeFieldName(field)));
  const name = hasValue ? findText(row, nameFields) : undefined;
  const unit = (hasValue ? findText(row, unitFields) : undefined) ?? context.unit;
  for (const [field, value] of Object.entries(row)) {
    const isUnit = hasValue && unitFields.includes(normalizeFieldName(field));
    if (
      isUnit ||
      (name !== undefined && value === name) ||
      (isTimeField(field) && parseTimeMs(value) === timeMs)
    )
      continue;
    const isOwnValue = isValueField(field, row) && (name !== undefined || context.path.length > 0);
    const path = [...context.path, ...(name === undefined ? [] : [name]), ...(isOwnValue ? [] : [field])];
    const isNested = isRecord(value) && parseQuantity(value) === undefined && path.length < maxDepth;
    if (isNested) extractRow(value, timeMs, { ...context, path, unit }, add);
    else add(path, { timeMs, value }, unit);
  }
}

/**
 * Returns whether a field is the value of its record. An average beside the highest or lowest value
 * keeps its name, so that these aren't taken for sizes.
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

interface Times {
  readonly field?: string;
  readonly times?: readonly (number | undefined)[];
}

/** Finds the times of columns: a list of them, or a start and a step or end. */
function findTimes(record: ServiceRecord): Times {
  for (const [field, value] of Object.entries(record)) {
    if (!timesFields.includes(normalizeFieldName(field)) || !Array.isArray(value)) continue;
    const times = value.map(parseTimeMs);
    if (times.some((timeMs) => timeMs !== undefined)) return { field, times };
  }
  const sources = [record, record.meta].filter(isRecord);
  const find = (names: readonly string[]) => sources.flatMap((source) => findValues(source, names))[0];
  const start = find(startFields);
  const [startMs, step] = [parseTimeMs(start), parseNumber(find(stepFields))];
  const count = longestList(record);
  if (startMs === undefined || count === 0) return {};
  // The step is in the same unit as the start.
  const stepMs =
    step !== undefined && step > 0
      ? step * (parseNumber(start) === startMs && step >= 1_000 ? 1 : 1_000)
      : undefined;
  return stepMs === undefined
    ? {}
    : { times: Array.from({ length: count }, (_, index) => startMs + index * stepMs) };
}

function longestList(record: ServiceRecord, depth = 3): number {
  return Object.values(record).reduce<number>((longest, value) => {
    const own = Array.isArray(value) ? value.length : 0;
    const inner: readonly unknown[] = Array.isArray(value) ? value.slice(0, 50) : [value];
    const nested = depth === 0 ? [] : inner.filter(isRecord).map((item) => longestList(item, depth - 1));
    return Math.max(longest, nested.length > 0 && Array.isArray(value) ? 0 : own, ...nested);
  }, 0);
}

/** Finds the names of columns, given as a list of texts. */
function findNames(record: ServiceRecord): Context['names'] {
  const sources = [record, record.meta].filter(isRecord);
  const isNames = (value: unknown): value is (string | null)[] =>
    Array.isArray(value) &&
    value.some((name) => typeof name === 'string') &&
    value.every((name) => typeof name === 'string' || name === null);
  return sources.flatMap((source) => findValues(source, namesFields)).find(isNames);
}
