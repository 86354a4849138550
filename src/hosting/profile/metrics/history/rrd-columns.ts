import { parseNumber, parseQuantity } from '../../values/numbers.ts';
import {
  findFields,
  findText,
  findValues,
  isEmpty,
  isRecord,
  isVpsName,
  normalizeFieldName,
  type ServiceRecord,
  toText,
} from '../../values/records.ts';
import { parseTimeMs } from '../../values/times.ts';
import { isWrapperField } from '../field-meaning.ts';
import {
  type ColumnNames,
  findColumnNames,
  findRowTimes,
  findTimeMs,
  findTimes,
  isTimeField,
  parseTimeKey,
} from './column-times.ts';

/** A value that hasn't been parsed yet, and its time. */
export interface RawPoint {
  readonly timeMs: number;
  readonly value: unknown;
}

/** Values over time that have the same path in the payload. */
export interface RrdColumn {
  /** Field names without wrapper fields, but including names of VPS. */
  readonly path: readonly string[];
  readonly points: RawPoint[];
}

/** The times and names that outer fields define for the values inside them. */
interface ColumnContext {
  readonly path: readonly string[];
  readonly depth: number;
  readonly times?: readonly (number | undefined)[];
  readonly names?: ColumnNames;
  /** The unit of the points, which a field beside them names. */
  readonly unit?: string;
}

/** Maximum depth at which points are searched. */
const maxDepth = 7;

const nameFields = ['name', 'metric', 'metricname', 'label', 'key', 'id', 'field', 'ds', 'title', 'target'];
const averageFields = ['avg', 'average', 'mean'];
const valueFields = ['value', 'val', 'v', 'y', ...averageFields];
const extremeFields = ['max', 'maximum', 'min', 'minimum'];
const unitFields = ['unit', 'units'];

/** Finds all values that have a time, in rows or in columns. `rest` is the payload without them. */
export function findColumns(data: unknown): {
  readonly columns: readonly RrdColumn[];
  readonly rest: unknown;
} {
  const columns = new Map<string, RrdColumn>();
  const add = (path: readonly string[], point: RawPoint) => {
    const last = path.length - 1;
    const names = path.filter((field, index) => index === last || isVpsName(field) || !isWrapperField(field));
    const key = names.join('\n');
    const column = columns.get(key) ?? { path: names, points: [] };
    columns.set(key, column);
    column.points.push(point);
  };
  const rest = extractPoints(data, { path: [], depth: 0 }, add);
  return { rest, columns: [...columns.values()].filter((column) => !isTimeColumn(column)) };
}

/** A value this close to its own time is a time too, such as the end of the interval. */
const maxTimeDistanceMs = 86_400_000;

/** Returns whether a column only repeats the times of its points. */
function isTimeColumn({ points }: RrdColumn): boolean {
  return points.every(({ timeMs, value }) => {
    const valueMs = parseTimeMs(value);
    return valueMs !== undefined && Math.abs(valueMs - timeMs) <= maxTimeDistanceMs;
  });
}

type AddPoint = (path: readonly string[], point: RawPoint) => void;

/** Adds the points found in a value. Returns the value without them, or undefined if nothing is left. */
function extractPoints(value: unknown, context: ColumnContext, add: AddPoint): unknown {
  if (context.depth > maxDepth) return value;
  if (Array.isArray(value))
    return extractList(value, context, add) ? undefined : extractItems(value, toDeeperContext(context), add);
  return isRecord(value) ? extractRecord(value, context, add) : value;
}

function toDeeperContext(context: ColumnContext): ColumnContext {
  return { ...context, depth: context.depth + 1 };
}

/** Adds the points of a column or of a list of lists. Returns false if the list is neither of these. */
function extractList(list: readonly unknown[], context: ColumnContext, add: AddPoint): boolean {
  const { path, times } = context;
  if (list.length === 0) return false;
  if (list.every(Array.isArray)) return extractTable(list, context, add);
  const isColumn = times !== undefined && list.every((item) => !isRecord(item) && !Array.isArray(item));
  if (!isColumn) return false;
  for (const [index, item] of list.entries()) addPointAt(times[index], withUnit(item, context), path, add);
  return list.length <= times.length;
}

function addPointAt(
  timeMs: number | undefined,
  value: unknown,
  path: readonly string[],
  add: AddPoint,
): void {
  if (timeMs !== undefined) add(path, { timeMs, value });
}

/**
 * Adds the points of a list of lists: pairs of time and value, or rows whose names are in the first
 * row or an outer field.
 */
function extractTable(rows: readonly (readonly unknown[])[], context: ColumnContext, add: AddPoint): boolean {
  const [first = []] = rows;
  const hasHeader =
    first.length > 1 && first.every((cell) => typeof cell === 'string' && parseTimeMs(cell) === undefined);
  const body = hasHeader ? rows.slice(1) : rows;
  const names = hasHeader ? first.map(String) : context.names;
  const found = body.length === 0 ? undefined : findRowTimes(body, context.times);
  if (!found) return false;
  for (const [index, row] of body.entries()) {
    for (const [column, cell] of row.entries()) {
      if (column === found.column) continue;
      const name = findColumnName(names, row.length, column, found.column);
      const path = name === undefined ? context.path : [...context.path, name];
      addPointAt(found.times[index], withUnit(cell, context), path, add);
    }
  }
  return true;
}

/**
 * Returns the name of a column, or its number if it has no name. The list of names can include the
 * name of the time column.
 */
function findColumnName(
  names: ColumnNames | undefined,
  width: number,
  column: number,
  timeColumn: number | undefined,
): string | undefined {
  const isAfterTime = timeColumn !== undefined && column > timeColumn;
  const ordinal = isAfterTime ? column - 1 : column;
  const name = names?.[names.length >= width ? column : ordinal];
  const count = timeColumn === undefined ? width : width - 1;
  return name ?? (count === 1 ? undefined : String(ordinal + 1));
}

/** Adds the points of rows, and the points nested in other items. */
function extractItems(list: readonly unknown[], context: ColumnContext, add: AddPoint): unknown {
  const left = list.flatMap((item: unknown, index) => {
    const timeMs = isRecord(item) ? findTimeMs(item) : undefined;
    if (isRecord(item) && timeMs !== undefined) {
      extractRow(item, timeMs, context, add);
      return [];
    }
    const name = isRecord(item) ? (findItemName(item) ?? numberOf(index, list)) : undefined;
    const path = name === undefined ? context.path : [...context.path, name];
    const remaining = extractPoints(item, { ...context, path }, add);
    const isOnlyName =
      name !== undefined && isRecord(remaining) && Object.values(remaining).every((value) => value === name);
    return isOnlyName || remaining === undefined ? [] : [remaining];
  });
  return left.length === 0 ? undefined : left;
}

/** Returns the name of a list's item. It can be in labels, as in Prometheus. */
function findItemName(item: ServiceRecord): string | undefined {
  const [labels] = findValues(item, ['metric', 'labels', 'tags']).filter(isRecord);
  const fromLabels =
    labels && (findText(labels, ['name']) ?? Object.values(labels).map(toText).join(' ').trim());
  return findText(item, nameFields) ?? (fromLabels || undefined);
}

/** Returns the position of an item, which distinguishes items without a name. */
function numberOf(index: number, { length }: readonly unknown[]): string | undefined {
  return length > 1 ? String(index + 1) : undefined;
}

function extractRecord(record: ServiceRecord, context: ColumnContext, add: AddPoint): unknown {
  const { field: timesField, times = context.times } = findTimes(record);
  const names = findColumnNames(record) ?? context.names;
  const metric = context.path.length === 0 ? findText(record, ['metric', 'metricname']) : undefined;
  const inside: ColumnContext = {
    ...toDeeperContext(context),
    ...(times && { times }),
    ...(names && { names }),
    ...readUnit(record),
  };
  const left = Object.entries(record).flatMap(([field, value]): [string, unknown][] => {
    if (field === timesField) return [];
    if (value === names) return [[field, value]];
    const keyTime = isEmpty(value) ? undefined : parseTimeKey(field);
    if (keyTime !== undefined && !Array.isArray(value)) {
      extractRow(isRecord(value) ? value : { value }, keyTime, inside, add);
      return [];
    }
    const isOwnValue = isValueField(field, record) || isPointsField(field);
    const outer = metric === undefined ? context.path : [metric];
    const path = isOwnValue ? outer : [...outer, field];
    const remaining = extractPoints(value, { ...inside, path }, add);
    return remaining === undefined ? [] : [[field, remaining]];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** Adds all values of one point in time, including nested ones. */
function extractRow(row: ServiceRecord, timeMs: number, context: ColumnContext, add: AddPoint): void {
  // A row that consists of a name and a value can lack the value.
  const hasValue = Object.keys(row).some((field) => valueFields.includes(normalizeFieldName(field)));
  const name = hasValue ? findText(row, nameFields) : undefined;
  const inside = hasValue ? { ...context, ...readUnit(row) } : context;
  for (const [field, value] of Object.entries(row)) {
    const isName = name !== undefined && value === name;
    if (isName || (isTimeField(field) && parseTimeMs(value) === timeMs)) continue;
    const isOwnValue = isValueField(field, row) && (name !== undefined || context.path.length > 0);
    const path = [...context.path, ...(name === undefined ? [] : [name]), ...(isOwnValue ? [] : [field])];
    const isNested = isRecord(value) && parseQuantity(value) === undefined && path.length < maxDepth;
    if (isNested) extractRow(value, timeMs, { ...inside, path }, add);
    else add(path, { timeMs, value: withUnit(value, inside) });
  }
}

/**
 * Returns whether a field is the value of its record. An average beside the highest or lowest value
 * keeps its name, so that these aren't taken for sizes.
 */
function isValueField(field: string, record: ServiceRecord): boolean {
  const name = normalizeFieldName(field);
  const isOneOfSeveral = averageFields.includes(name) && findFields(record, extremeFields).length > 0;
  return valueFields.includes(name) && !isOneOfSeveral;
}

function readUnit(record: ServiceRecord): Pick<ColumnContext, 'unit'> {
  const unit = findText(record, unitFields);
  return unit === undefined ? {} : { unit };
}

/** Adds the unit to a number that has none. */
function withUnit(value: unknown, { unit }: ColumnContext): unknown {
  return unit !== undefined && parseNumber(value) !== undefined ? { value, unit } : value;
}

function isPointsField(field: string): boolean {
  return /^(points|datapoints|data|values|series|datasets|rows|samples)$/.test(normalizeFieldName(field));
}
