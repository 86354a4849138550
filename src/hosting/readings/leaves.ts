import { looksSecret, tellsSecret, withoutUrlPasswords } from '../secrets.ts';
import { type Quantity, quantityOf } from './numbers.ts';
import { isEmpty, isRecord, ownerOf, type ServiceRecord, textOf, valuesOf } from './records.ts';

/** A single value somewhere in a payload. */
export interface Leaf {
  /** Names of the fields around it and its own, from the outside in. */
  readonly path: readonly string[];
  readonly value: string | number | boolean | readonly (string | number | boolean)[];
  /** The number in it, if it is one. */
  readonly quantity?: Quantity;
}

/** How deep a payload is looked into. */
const mostDepth = 6;

const nameFields = ['name', 'key', 'metric', 'field', 'label', 'id', 'title', 'parameter'];
const valueFields = ['value', 'val', 'current', 'amount', 'v', 'reading'];
const unitFields = ['unit', 'units'];

/**
 * Lists the single values of a payload that may be shown: fields, fields of fields, lists of name and value. A list of single
 * values is one value. What may be a secret is not among them.
 */
export function leavesOf(data: unknown, path: readonly string[] = []): Leaf[] {
  if (path.length > mostDepth || isEmpty(data) || path.some(looksSecret)) return [];
  const quantity = quantityOf(data);
  if (isScalar(data)) return isTold(data) ? [leaf(path, data, quantity)] : [];
  if (quantity) return [leaf(path, written(quantity), quantity)];
  if (Array.isArray(data)) return leavesInList(data, path);
  return isRecord(data) ? leavesInRecord(data, path) : [];
}

function leavesInList(list: readonly unknown[], path: readonly string[]): Leaf[] {
  const scalars = list.filter(isScalar);
  if (scalars.length === list.length) {
    const told = scalars.filter(isTold);
    return told.length === 0 ? [] : [leaf(path, told.map(shown))];
  }
  return list.flatMap((item, index) => {
    if (Array.isArray(item) && item.length === 2 && typeof item[0] === 'string') {
      return leavesOf(item[1], [...path, item[0]]);
    }
    if (!isRecord(item)) return leavesOf(item, [...path, String(index + 1)]);
    const pair = pairIn(item);
    if (pair) return leavesOf(pair.value, [...path, pair.name]);
    return leavesOf(item, list.length === 1 ? path : [...path, titleOf(item) ?? String(index + 1)]);
  });
}

function titleOf(record: ServiceRecord): string | undefined {
  return ownerOf(record) ?? textOf(record, nameFields);
}

function leavesInRecord(record: ServiceRecord, path: readonly string[]): Leaf[] {
  const unit = valuesOf(record, unitFields).find((value) => typeof value === 'string');
  return Object.entries(record).flatMap(([field, value]) => {
    if (typeof unit === 'string' && value === unit) return [];
    const pair = isRecord(value) ? pairIn(value) : undefined;
    const leaves = pair ? leavesOf(pair.value, [...path, field]) : leavesOf(value, [...path, field]);
    return leaves.map((found) => withUnit(found, unit, path.length + 1));
  });
}

/** A unit counts for the numbers beside it. */
function withUnit(found: Leaf, unit: unknown, depth: number): Leaf {
  if (typeof unit !== 'string' || found.quantity === undefined || found.quantity.unit !== undefined)
    return found;
  return found.path.length === depth ? { ...found, quantity: { ...found.quantity, unit } } : found;
}

/** Reads a record of a name and a value, with its unit: `{ name: 'cpu', value: 12, unit: '%' }`. */
function pairIn(record: ServiceRecord): { readonly name: string; readonly value: unknown } | undefined {
  const name = textOf(record, nameFields);
  const values = valuesOf(record, valueFields);
  const unit = valuesOf(record, unitFields)[0];
  if (name === undefined || values.length !== 1 || typeof values[0] === 'object') return undefined;
  if (Object.keys(record).length > (unit === undefined ? 2 : 3)) return undefined;
  return { name, value: unit === undefined ? values[0] : { value: values[0], unit } };
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isTold(value: string | number | boolean): boolean {
  return typeof value !== 'string' || !tellsSecret(value);
}

function leaf(path: readonly string[], value: Leaf['value'], quantity?: Quantity): Leaf {
  const text = typeof value === 'string' ? withoutUrlPasswords(value) : value;
  return quantity ? { path, value: text, quantity } : { path, value: text };
}

function shown(value: string | number | boolean): string | number | boolean {
  return typeof value === 'string' ? withoutUrlPasswords(value) : value;
}

function written({ value, unit }: Quantity): string | number {
  return unit === undefined ? value : `${value} ${unit}`;
}
