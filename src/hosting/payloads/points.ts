import { isWrapperField } from './field-words.ts';
import { parseQuantity, parseTimeMs } from './quantity.ts';
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
/** Fields that describe the points beside them. */
const structureFields = [
  ...words('step interval resolution start starttime from begin since end endtime to until last'),
  ...unitFields,
];
const nameFields = words('name metric metricname label key id field ds title target');
const averageFields = words('avg average mean');
const valueFields = [...words('value val v y'), ...averageFields];
const pointsFields = words('points datapoints data values series datasets rows samples');

/**
 * Finds all values that have a time: in rows with a field for it, or in pairs of time and value. `rest` is the
 * payload without them and without the fields that describe them.
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
  const inside = { ...context, depth: context.depth + 1 };
  if (Array.isArray(value)) return extractList(value, inside, add);
  return isRecord(value) ? extractRecord(value, inside, add) : value;
}

/** Adds the points of pairs and of rows, and those nested in other items. */
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

/** Parses a list of pairs of time and value, or of value and time. Returns nothing for any other list. */
function parsePairs(list: readonly unknown[]): readonly RawPoint[] {
  const pairs = list.filter((item): item is [unknown, unknown] => Array.isArray(item) && item.length === 2);
  if (pairs.length < list.length) return [];
  const orders = [pairs, pairs.map(([value, time]) => [time, value] as const)];
  for (const ordered of orders) {
    const points = ordered.flatMap(([time, value]) => {
      const timeMs = parseTimeMs(time);
      return timeMs === undefined ? [] : [{ timeMs, value }];
    });
    const steps = points.slice(1).map(({ timeMs }, index) => timeMs - (points[index]?.timeMs ?? timeMs));
    const isInOrder = steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
    if (points.length === list.length && isInOrder) return points;
  }
  return [];
}

/** Returns the name of a list's item. It can be in labels. */
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
    // Without points, what would describe them is shown too.
    const isDescription =
      hasPoints && typeof value !== 'object' && structureFields.includes(normalizeFieldName(field));
    return value !== undefined && !isDescription;
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
