import { findValues, isRecord, normalizeFieldName, type ServiceRecord } from './records.ts';

/** A number, and its unit if there is one. */
export interface Quantity {
  readonly value: number;
  /** The unit as the service writes it: `GiB`, `%`, `MB/s`. */
  readonly unit?: string;
}

const quantityPattern = /^\s*([+-]?(?:\d[\d_ ]*\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([\p{L}%µ][\p{L}%/ .²]*)?$/iu;

/** Parses a finite number, also from a string. Returns undefined for anything else. */
export function parseNumber(value: unknown): number | undefined {
  const quantity = parseQuantity(value);
  return quantity?.unit === undefined ? quantity?.value : undefined;
}

/** Parses a number and its unit: `12`, `"12.5"`, `"12 GiB"`, `{ value: 12, unit: "GiB" }`. */
export function parseQuantity(value: unknown): Quantity | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? { value } : undefined;
  if (typeof value === 'string') return parseQuantityText(value);
  return isRecord(value) ? parseQuantityRecord(value) : undefined;
}

function parseQuantityText(text: string): Quantity | undefined {
  // Longer text isn't a number, and matching it could take long.
  if (text.length > 40) return undefined;
  const [, digits, unit] = quantityPattern.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits.replace(/[_ ]/g, ''));
  if (!Number.isFinite(value)) return undefined;
  return unit === undefined ? { value } : { value, unit: unit.trim() };
}

const valueFields = ['value', 'val', 'amount', 'v'];
const unitFields = ['unit', 'units', 'u'];

/** Parses a record that contains only a value and a unit. */
function parseQuantityRecord(record: ServiceRecord): Quantity | undefined {
  const fields = Object.keys(record).map(normalizeFieldName);
  const isQuantity = fields.every((field) => [...valueFields, ...unitFields].includes(field));
  const inner = isQuantity ? findValues(record, valueFields)[0] : undefined;
  if (typeof inner !== 'number' && typeof inner !== 'string') return undefined;
  const quantity = parseQuantity(inner);
  const unit = findValues(record, unitFields).find((candidate) => typeof candidate === 'string');
  if (quantity === undefined || quantity.unit !== undefined || typeof unit !== 'string') return quantity;
  return { ...quantity, unit };
}

/** Parses a whole number within two bounds, inclusive. Returns undefined for anything else. */
export function parseInteger(value: unknown, min = 0, max = Number.MAX_SAFE_INTEGER): number | undefined {
  const number = parseNumber(value);
  return number !== undefined && Number.isInteger(number) && number >= min && number <= max
    ? number
    : undefined;
}
