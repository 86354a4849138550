import { containsSecret, isSecretFieldName, redactUrlPasswords } from '../../secret-detection.ts';
import { parseQuantity, type Quantity } from '../values/numbers.ts';
import {
  findOwnerVpsName,
  findText,
  findValues,
  isEmpty,
  isRecord,
  type ServiceRecord,
} from '../values/records.ts';

/** A single value somewhere in a payload. */
export interface Leaf {
  /** Names of the outer fields and of the field itself, outermost first. */
  readonly path: readonly string[];
  readonly value: string | number | boolean | readonly (string | number | boolean)[];
  /** The value as a number, if it is one. */
  readonly quantity?: Quantity;
}

/** Maximum depth at which values are searched. */
const maxDepth = 6;

const nameFields = ['name', 'key', 'metric', 'metricname', 'field', 'label', 'id', 'title', 'parameter'];
const valueFields = ['value', 'val', 'current', 'amount', 'v', 'reading'];
const unitFields = ['unit', 'units'];

/**
 * Lists the scalar values of a payload, including those in nested fields and in lists of names and
 * values. A list of scalars is one leaf. Possible secrets are left out.
 */
export function collectLeaves(data: unknown, path: readonly string[] = []): Leaf[] {
  if (path.length > maxDepth || isEmpty(data) || path.some(isSecretFieldName)) return [];
  const quantity = parseQuantity(data);
  if (isScalar(data)) return isSafeToShow(data) ? [createLeaf(path, data, quantity)] : [];
  if (quantity) return [createLeaf(path, formatQuantity(quantity), quantity)];
  if (Array.isArray(data)) return collectFromList(data, path);
  return isRecord(data) ? collectFromRecord(data, path) : [];
}

function collectFromList(list: readonly unknown[], path: readonly string[]): Leaf[] {
  const scalars = list.filter(isScalar);
  if (scalars.length === list.length) {
    const safe = scalars.filter(isSafeToShow);
    return safe.length === 0 ? [] : [createLeaf(path, safe.map(redactText))];
  }
  return list.flatMap((item, index) => {
    if (Array.isArray(item) && item.length === 2 && typeof item[0] === 'string') {
      return collectLeaves(item[1], [...path, item[0]]);
    }
    if (!isRecord(item)) return collectLeaves(item, [...path, String(index + 1)]);
    const pair = readNameValuePair(item);
    if (pair) return collectLeaves(pair.value, [...path, pair.name]);
    return collectLeaves(item, list.length === 1 ? path : [...path, findTitle(item) ?? String(index + 1)]);
  });
}

function findTitle(record: ServiceRecord): string | undefined {
  return findOwnerVpsName(record) ?? findText(record, nameFields);
}

function collectFromRecord(record: ServiceRecord, path: readonly string[]): Leaf[] {
  const unit = findValues(record, unitFields).find((value) => typeof value === 'string');
  return Object.entries(record).flatMap(([field, value]) => {
    if (typeof unit === 'string' && value === unit) return [];
    const pair = isRecord(value) ? readNameValuePair(value) : undefined;
    const leaves = pair
      ? collectLeaves(pair.value, [...path, field])
      : collectLeaves(value, [...path, field]);
    return leaves.map((leaf) => applyUnit(leaf, unit, path.length + 1));
  });
}

/** Adds a record's unit to a number in the same record. */
function applyUnit(leaf: Leaf, unit: unknown, depth: number): Leaf {
  if (typeof unit !== 'string' || leaf.quantity === undefined || leaf.quantity.unit !== undefined)
    return leaf;
  return leaf.path.length === depth ? { ...leaf, quantity: { ...leaf.quantity, unit } } : leaf;
}

/**
 * Parses a record of a name, a value and an optional unit: `{ name: 'cpu', value: 12, unit: '%' }`.
 */
function readNameValuePair(
  record: ServiceRecord,
): { readonly name: string; readonly value: unknown } | undefined {
  const name = findText(record, nameFields);
  const values = findValues(record, valueFields);
  const unit = findValues(record, unitFields)[0];
  if (name === undefined || values.length !== 1 || typeof values[0] === 'object') return undefined;
  if (Object.keys(record).length > (unit === undefined ? 2 : 3)) return undefined;
  return { name, value: unit === undefined ? values[0] : { value: values[0], unit } };
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isSafeToShow(value: string | number | boolean): boolean {
  return typeof value !== 'string' || !containsSecret(value);
}

function createLeaf(path: readonly string[], value: Leaf['value'], quantity?: Quantity): Leaf {
  const text = typeof value === 'string' ? redactUrlPasswords(value) : value;
  return quantity ? { path, value: text, quantity } : { path, value: text };
}

function redactText(value: string | number | boolean): string | number | boolean {
  return typeof value === 'string' ? redactUrlPasswords(value) : value;
}

function formatQuantity({ value, unit }: Quantity): string | number {
  return unit === undefined ? value : `${value} ${unit}`;
}
