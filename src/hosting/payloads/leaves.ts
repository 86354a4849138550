import { containsSecret, isSecretFieldName, redactUrlPasswords } from '../secret-detection.ts';
import { parseQuantity, type Quantity } from './quantity.ts';
import { findText, findValues, isEmpty, isRecord, type ServiceRecord } from './record.ts';
import { findOwner } from './vps-name.ts';

type Scalar = string | number | boolean;

/** A single value somewhere in a payload. */
export interface Leaf {
  /** Names of the outer fields and of the field itself, outermost first. */
  readonly path: readonly string[];
  readonly value: Scalar | readonly Scalar[];
  /** The value as a number, if it is one, with the unit that stands beside it. */
  readonly quantity?: Quantity;
}

/** Maximum depth at which values are searched. */
const maxDepth = 6;

const nameFields = ['name', 'key', 'metric', 'metricname', 'field', 'label', 'id', 'title', 'parameter'];
const unitFields = ['unit', 'units'];

/**
 * Lists the single values of a payload, including those in nested fields and in lists of names and
 * values. A list of single values is one leaf. A unit counts for the numbers beside it and inside what
 * is beside it. Possible secrets are left out.
 */
export function collectLeaves(data: unknown, path: readonly string[] = [], unit?: string): readonly Leaf[] {
  if (path.length > maxDepth || isEmpty(data) || path.some(isSecretFieldName)) return [];
  if (Array.isArray(data)) return collectFromList(data, path, unit);
  const quantity = parseQuantity(data);
  if (isRecord(data) && !quantity) return collectFromRecord(data, path, unit);
  if (isScalar(data) && !isSafe(data)) return [];
  const isTime = /^(time(stamp)?|ts|date|epoch|t)$/i.test(path.at(-1) ?? '');
  const own = quantity?.unit ?? (isTime ? undefined : unit);
  if (!quantity || own === undefined) return [createLeaf(path, isScalar(data) ? data : '', quantity)];
  return [createLeaf(path, `${quantity.value} ${own}`, { value: quantity.value, unit: own })];
}

function collectFromList(list: readonly unknown[], path: readonly string[], unit?: string): readonly Leaf[] {
  const scalars = list.filter(isScalar);
  if (scalars.length === list.length) {
    const safe = scalars.filter(isSafe);
    const shown = safe.map((value) => (typeof value === 'string' ? redactUrlPasswords(value) : value));
    return shown.length === 0 ? [] : [{ path, value: shown }];
  }
  return list.flatMap((item, index) => {
    if (!isRecord(item)) return collectLeaves(item, [...path, String(index + 1)], unit);
    const title = findOwner(item) ?? findText(item, nameFields) ?? String(index + 1);
    const inner = collectLeaves(item, list.length === 1 ? path : [...path, title], unit);
    return list.length === 1 ? inner : inner.filter(({ value }) => value !== title);
  });
}

function collectFromRecord(record: ServiceRecord, path: readonly string[], outer?: string): readonly Leaf[] {
  const own = findValues(record, unitFields).find((value) => typeof value === 'string');
  const unit = typeof own === 'string' ? own : outer;
  return Object.entries(record).flatMap(([field, value]) => {
    if (own !== undefined && value === own) return [];
    return collectLeaves(value, [...path, field], unit);
  });
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isSafe(value: Scalar): boolean {
  return typeof value !== 'string' || !containsSecret(value);
}

function createLeaf(path: readonly string[], value: Scalar, quantity?: Quantity): Leaf {
  const text = typeof value === 'string' ? redactUrlPasswords(value) : value;
  return quantity ? { path, value: text, quantity } : { path, value: text };
}
