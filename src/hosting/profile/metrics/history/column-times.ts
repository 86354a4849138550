import { parseNumber } from '../../values/numbers.ts';
import { findValues, isRecord, normalizeFieldName, type ServiceRecord } from '../../values/records.ts';
import { parseTimeMs } from '../../values/times.ts';

/** Normalized names of fields with the time of a measurement. */
const timeFields = 'time timestamp ts datetime date at clock epoch t x'.split(' ');
const namesFields = ['legend', 'columns', 'fields', 'names', 'keys', 'headers', 'dsnames', 'series'];
const stepFields = ['step', 'interval', 'resolution', 'stepseconds', 'pointinterval'];
const startFields = ['start', 'starttime', 'from', 'begin', 'since', 'pointstart', 'first'];
const timesFields = 'time times timestamp timestamps ts datetimes dates labels t x categories'.split(' ');
/** Matches other normalized names of fields with the time of a measurement, such as `loggedat`. */
const measuredAtPattern =
  /^(log(ged)?|sampled?|measured?|measurement|record(ed)?|collect(ed|ion)?|captured?|observed|report(ed)?|polled|taken)(at|on|time|date|timestamp)$/;

/** Returns whether a field holds the time of a row. */
export function isTimeField(field: string): boolean {
  const name = normalizeFieldName(field);
  return timeFields.includes(name) || measuredAtPattern.test(name);
}

/** Finds the time of a row. */
export function findTimeMs(row: ServiceRecord): number | undefined {
  const others = Object.keys(row).filter((field) => measuredAtPattern.test(normalizeFieldName(field)));
  return [...findValues(row, timeFields), ...others.map((field) => row[field])]
    .map(parseTimeMs)
    .find((timeMs) => timeMs !== undefined);
}

/** Parses a map key as a time. Returns undefined if the key could be anything else. */
export function parseTimeKey(key: string): number | undefined {
  return /^\d{9,}$|^\d{4}-\d{2}-\d{2}/.test(key) ? parseTimeMs(key) : undefined;
}

interface ColumnTimes {
  readonly field?: string;
  readonly times?: readonly (number | undefined)[];
}

/** Finds the times of columns, given as a list or as a start and a step. */
export function findTimes(record: ServiceRecord): ColumnTimes {
  for (const [field, value] of Object.entries(record)) {
    if (!timesFields.includes(normalizeFieldName(field)) || !Array.isArray(value) || value.length === 0)
      continue;
    const times = value.map(parseTimeMs);
    if (times.some((timeMs) => timeMs !== undefined)) return { field, times };
  }
  const meta = isRecord(record.meta) ? record.meta : {};
  const [start] = [...findValues(record, startFields), ...findValues(meta, startFields)];
  const [step] = [...findValues(record, stepFields), ...findValues(meta, stepFields)].map(parseNumber);
  const startMs = parseTimeMs(start);
  if (startMs === undefined || step === undefined || step <= 0) return {};
  // The step is in the same unit as the start.
  const stepMs = parseNumber(start) === startMs && step >= 1_000 ? step : step * 1_000;
  const count = findLongestList(record);
  return { times: Array.from({ length: count }, (_, index) => startMs + index * stepMs) };
}

function findLongestList(record: ServiceRecord, depth = 3): number {
  let longest = 0;
  for (const value of Object.values(record)) {
    if (Array.isArray(value)) longest = Math.max(longest, value.length);
    const inner: readonly unknown[] = Array.isArray(value) ? value.slice(0, 50) : [value];
    for (const item of inner) {
      if (isRecord(item) && depth > 0) longest = Math.max(longest, findLongestList(item, depth - 1));
    }
  }
  return longest;
}

/** Names of columns, in order. A column without a name has `null`. */
export type ColumnNames = readonly (string | null)[];

/** Finds the names of columns, given as a list of strings. */
export function findColumnNames(record: ServiceRecord): ColumnNames | undefined {
  const meta = isRecord(record.meta) ? record.meta : {};
  return [...findValues(record, namesFields), ...findValues(meta, namesFields)].find(isColumnNames);
}

function isColumnNames(value: unknown): value is ColumnNames {
  return (
    Array.isArray(value) &&
    value.some((name) => typeof name === 'string') &&
    value.every((name) => typeof name === 'string' || name === null)
  );
}

type Rows = readonly (readonly unknown[])[];

/** The times of rows, and where they were found. */
export interface RowTimes {
  readonly times: readonly number[];
  /** The column that contains the times. Undefined if they were found outside the rows. */
  readonly column: number | undefined;
}

/** Finds the times of rows. They are in the first or last column, or else in outer fields. */
export function findRowTimes(
  rows: Rows,
  outer: readonly (number | undefined)[] | undefined,
): RowTimes | undefined {
  const width = rows[0]?.length ?? 0;
  const candidates = Array.from({ length: width }, (_, column) => readTimeColumn(rows, column)).filter(
    (found) => found !== undefined,
  );
  if (outer === undefined) {
    const hasValues = width > 1 && rows.every((row) => row.length > 1);
    const [best] = candidates.toSorted(
      (a, b) => Number(isMonotonic(b)) - Number(isMonotonic(a)) || relativeSpread(a) - relativeSpread(b),
    );
    return hasValues ? best : undefined;
  }
  const inside = candidates.find(({ times }) => areWithin(times, outer));
  if (inside && width > 1) return inside;
  const times = rows.map((_, index) => outer[index]);
  return times.every((timeMs) => timeMs !== undefined) ? { times, column: undefined } : undefined;
}

/** Returns the times in a column. Returns undefined if any cell isn't a time. */
function readTimeColumn(rows: Rows, column: number): RowTimes | undefined {
  const times: number[] = [];
  for (const row of rows) {
    const timeMs = parseTimeMs(row[column]);
    if (timeMs === undefined) return undefined;
    times.push(timeMs);
  }
  return { times, column };
}

function isMonotonic({ times }: RowTimes): boolean {
  const steps = times.slice(1).map((timeMs, index) => timeMs - (times[index] ?? timeMs));
  return steps.length > 0 && (steps.every((step) => step > 0) || steps.every((step) => step < 0));
}

/** Amounts vary more than times, which are decades after their origin. */
function relativeSpread({ times }: RowTimes): number {
  const from = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const until = times.reduce((a, b) => Math.max(a, b), 0);
  return (until - from) / until;
}

/** Returns whether all times are within, or close to, a known period. */
function areWithin(times: readonly number[], outer: readonly (number | undefined)[]): boolean {
  const known = outer.filter((timeMs) => timeMs !== undefined);
  const from = known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const until = known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const margin = Math.max(minMarginMs, (2 * (until - from)) / Math.max(1, known.length));
  return times.every((timeMs) => timeMs >= from - margin && timeMs <= until + margin);
}

const minMarginMs = 3_600_000;
