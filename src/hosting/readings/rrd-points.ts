import { isWrapping } from './measures.ts';
import { numberOf } from './numbers.ts';
import { bare, isEmpty, isRecord, isVpsName, type ServiceRecord, textOf, valuesOf } from './records.ts';
import { timeMsOf } from './times.ts';

/** A value that belongs to a moment, as it came. */
export interface RawPoint {
  readonly timeMs: number;
  readonly value: unknown;
}

/** Values over time that stand under the same names. */
export interface Column {
  /** Without what is only a wrapping; names of VPS are in it. */
  readonly path: readonly string[];
  readonly points: RawPoint[];
}

/** What the fields around some values say about the times and the names of them. */
interface Around {
  readonly path: readonly string[];
  readonly depth: number;
  readonly times?: readonly (number | undefined)[];
  readonly names?: readonly string[];
}

/** How deep points may stand. */
const mostDepth = 7;

const timeFields = 'time timestamp ts datetime date at clock epoch t x'.split(' ');
const timesFields = 'time times timestamp timestamps ts datetimes dates labels t x categories'.split(' ');
const startFields = ['start', 'starttime', 'from', 'begin', 'since', 'pointstart', 'first'];
const stepFields = ['step', 'interval', 'resolution', 'stepseconds', 'pointinterval'];
const namesFields = ['legend', 'columns', 'fields', 'names', 'keys', 'headers', 'dsnames', 'series'];
const nameFields = ['name', 'metric', 'label', 'key', 'id', 'field', 'ds', 'title', 'target'];
const valueFields = ['value', 'val', 'v', 'y', 'avg', 'average', 'mean'];

/** Finds all that stands beside a time in a payload, in rows or in columns, and what is left of it. */
export function findColumns(data: unknown): { readonly columns: readonly Column[]; readonly rest: unknown } {
  const columns = new Map<string, Column>();
  const add = (path: readonly string[], point: RawPoint) => {
    const last = path.length - 1;
    const names = path.filter((field, index) => index === last || isVpsName(field) || !isWrapping(field));
    const key = names.join('\n');
    const column = columns.get(key) ?? { path: names, points: [] };
    columns.set(key, column);
    column.points.push(point);
  };
  return { rest: takePoints(data, { path: [], depth: 0 }, add), columns: [...columns.values()] };
}

type Add = (path: readonly string[], point: RawPoint) => void;

/** Adds the points of a value and returns what is left of it; `undefined` for nothing. */
function takePoints(value: unknown, around: Around, add: Add): unknown {
  if (around.depth > mostDepth) return value;
  if (Array.isArray(value))
    return takeList(value, around, add) ? undefined : takeItems(value, deeper(around), add);
  return isRecord(value) ? takeRecord(value, around, add) : value;
}

function deeper(around: Around): Around {
  return { ...around, depth: around.depth + 1 };
}

/** Takes a column, or a list of lists, as a whole; tells whether it was one. */
function takeList(list: readonly unknown[], around: Around, add: Add): boolean {
  const { path, times } = around;
  if (list.length === 0) return false;
  if (list.every(Array.isArray)) return takeTable(list, around, add);
  const isColumn = times !== undefined && list.every((item) => !isRecord(item) && !Array.isArray(item));
  if (!isColumn) return false;
  for (const [index, item] of list.entries()) addAt(times[index], item, path, add);
  return list.length <= times.length;
}

function addAt(timeMs: number | undefined, value: unknown, path: readonly string[], add: Add): void {
  if (timeMs !== undefined) add(path, { timeMs, value });
}

/** Takes a list of lists: pairs of time and value, or rows whose names stand in the first of them or around. */
function takeTable(rows: readonly (readonly unknown[])[], around: Around, add: Add): boolean {
  const [first = []] = rows;
  const hasHeader =
    first.length > 1 && first.every((cell) => typeof cell === 'string' && timeMsOf(cell) === undefined);
  const body = hasHeader ? rows.slice(1) : rows;
  const names = hasHeader ? first.map(String) : around.names;
  const times = body.map((row, index) => around.times?.[index] ?? timeMsOf(row[0]));
  const areTimesInside = around.times === undefined;
  if (
    body.length === 0 ||
    times.includes(undefined) ||
    (areTimesInside && body.some((row) => row.length < 2))
  ) {
    return false;
  }
  for (const [index, row] of body.entries()) {
    const cells = areTimesInside ? row.slice(1) : row;
    for (const [column, cell] of cells.entries()) {
      const name = cellName(names, cells.length, column, areTimesInside);
      addAt(times[index], cell, name === undefined ? around.path : [...around.path, name], add);
    }
  }
  return true;
}

/** Names a column; the time's own name may stand among the names. */
function cellName(
  names: readonly string[] | undefined,
  count: number,
  column: number,
  hasTime: boolean,
): string | undefined {
  const offset = hasTime && names !== undefined && names.length > count ? 1 : 0;
  return names?.[column + offset] ?? (count === 1 ? undefined : String(column + 1));
}

/** Takes rows, and what is in lists and records that are none. */
function takeItems(list: readonly unknown[], around: Around, add: Add): unknown {
  const left = list.flatMap((item: unknown) => {
    const timeMs = isRecord(item) ? timeIn(item) : undefined;
    if (isRecord(item) && timeMs !== undefined) {
      takeRow(item, timeMs, around.path, add);
      return [];
    }
    const name = isRecord(item) ? textOf(item, nameFields) : undefined;
    const path = name === undefined ? around.path : [...around.path, name];
    const kept = takePoints(item, { ...around, path }, add);
    const isOnlyName =
      name !== undefined && isRecord(kept) && Object.values(kept).every((value) => value === name);
    return isOnlyName || kept === undefined ? [] : [kept];
  });
  return left.length === 0 ? undefined : left;
}

function takeRecord(record: ServiceRecord, around: Around, add: Add): unknown {
  const { field: timesField, times = around.times } = timesIn(record);
  const names = namesIn(record) ?? around.names;
  const inside: Around = { ...deeper(around), ...(times && { times }), ...(names && { names }) };
  const left = Object.entries(record).flatMap(([field, value]): [string, unknown][] => {
    if (field === timesField) return [];
    if (value === names) return [[field, value]];
    const keyTime = isEmpty(value) ? undefined : timeInKey(field);
    if (keyTime !== undefined && !Array.isArray(value)) {
      takeRow(isRecord(value) ? value : { value }, keyTime, around.path, add);
      return [];
    }
    const isOwnValue = valueFields.includes(bare(field)) || isPointsField(field);
    const path = isOwnValue ? around.path : [...around.path, field];
    const kept = takePoints(value, { ...inside, path }, add);
    return kept === undefined ? [] : [[field, kept]];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** Adds all the values of one moment, those in fields of fields too. */
function takeRow(row: ServiceRecord, timeMs: number, path: readonly string[], add: Add): void {
  // A row of a name and a value may have no value.
  const hasValue = Object.keys(row).some((field) => valueFields.includes(bare(field)));
  const name = hasValue ? textOf(row, nameFields) : undefined;
  for (const [field, value] of Object.entries(row)) {
    const isName = name !== undefined && value === name;
    if (isName || (timeFields.includes(bare(field)) && timeMsOf(value) === timeMs)) continue;
    const isOwnValue = valueFields.includes(bare(field)) && (name !== undefined || path.length > 0);
    const place = [...path, ...(name === undefined ? [] : [name]), ...(isOwnValue ? [] : [field])];
    if (isRecord(value) && place.length < mostDepth) takeRow(value, timeMs, place, add);
    else add(place, { timeMs, value });
  }
}

function isPointsField(field: string): boolean {
  return /^(points|datapoints|data|values|series|datasets|rows|samples)$/.test(bare(field));
}

function timeIn(row: ServiceRecord): number | undefined {
  return valuesOf(row, timeFields)
    .map(timeMsOf)
    .find((timeMs) => timeMs !== undefined);
}

/** A key is a time where it could be nothing else. */
function timeInKey(key: string): number | undefined {
  return /^\d{9,}$|^\d{4}-\d{2}-\d{2}/.test(key) ? timeMsOf(key) : undefined;
}

interface Times {
  readonly field?: string;
  readonly times?: readonly (number | undefined)[];
}

/** Reads the times of columns: a list of them, or where they begin and how far apart they are. */
function timesIn(record: ServiceRecord): Times {
  for (const [field, value] of Object.entries(record)) {
    if (!timesFields.includes(bare(field)) || !Array.isArray(value) || value.length === 0) continue;
    const times = value.map(timeMsOf);
    if (times.some((timeMs) => timeMs !== undefined)) return { field, times };
  }
  const meta = isRecord(record.meta) ? record.meta : {};
  const [start] = [...valuesOf(record, startFields), ...valuesOf(meta, startFields)];
  const [step] = [...valuesOf(record, stepFields), ...valuesOf(meta, stepFields)].map(numberOf);
  const startMs = timeMsOf(start);
  if (startMs === undefined || step === undefined || step <= 0) return {};
  // A step counts as its start does.
  const stepMs = numberOf(start) === startMs && step >= 1_000 ? step : step * 1_000;
  const count = longestIn(record);
  return { times: Array.from({ length: count }, (_, index) => startMs + index * stepMs) };
}

function longestIn(record: ServiceRecord, depth = 3): number {
  let longest = 0;
  for (const value of Object.values(record)) {
    if (Array.isArray(value)) longest = Math.max(longest, value.length);
    const inner: readonly unknown[] = Array.isArray(value) ? value.slice(0, 50) : [value];
    for (const item of inner) {
      if (isRecord(item) && depth > 0) longest = Math.max(longest, longestIn(item, depth - 1));
    }
  }
  return longest;
}

function namesIn(record: ServiceRecord): readonly string[] | undefined {
  const meta = isRecord(record.meta) ? record.meta : {};
  return [...valuesOf(record, namesFields), ...valuesOf(meta, namesFields)].find(
    (value): value is string[] => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  );
}
