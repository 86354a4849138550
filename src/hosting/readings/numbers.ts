import { bare, isRecord, type ServiceRecord, valuesOf } from './records.ts';

/** A number with the unit that stood beside it, if any. */
export interface Quantity {
  readonly value: number;
  /** As it was written: `GiB`, `%`, `MB/s`. */
  readonly unit?: string;
}

const numberAndUnit = /^\s*([+-]?(?:\d[\d_ ]*\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([\p{L}%µ][\p{L}%/ .²]*)?$/iu;

/** Reads a number, also from text; `undefined` for anything else, NaN and infinities included. */
export function numberOf(value: unknown): number | undefined {
  const quantity = quantityOf(value);
  return quantity?.unit === undefined ? quantity?.value : undefined;
}

/** Reads a number and its unit: `12`, `"12.5"`, `"12 GiB"`, `{ value: 12, unit: "GiB" }`. */
export function quantityOf(value: unknown): Quantity | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? { value } : undefined;
  if (typeof value === 'string') return quantityInText(value);
  return isRecord(value) ? quantityInRecord(value) : undefined;
}

function quantityInText(text: string): Quantity | undefined {
  // Whatever is longer is no number; and a search in a text without end would take as long.
  if (text.length > 40) return undefined;
  const [, digits, unit] = numberAndUnit.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits.replace(/[_ ]/g, ''));
  if (!Number.isFinite(value)) return undefined;
  return unit === undefined ? { value } : { value, unit: unit.trim() };
}

const valueFields = ['value', 'val', 'amount', 'v'];
const unitFields = ['unit', 'units', 'u'];

/** A record is a quantity where it has nothing but a value, its unit and what it is called. */
function quantityInRecord(record: ServiceRecord): Quantity | undefined {
  const fields = Object.keys(record).map(bare);
  const isQuantity = fields.every((field) => [...valueFields, ...unitFields].includes(field));
  const inner = isQuantity ? valuesOf(record, valueFields)[0] : undefined;
  if (typeof inner !== 'number' && typeof inner !== 'string') return undefined;
  const quantity = quantityOf(inner);
  const unit = valuesOf(record, unitFields).find((candidate) => typeof candidate === 'string');
  if (quantity === undefined || quantity.unit !== undefined || typeof unit !== 'string') return quantity;
  return { ...quantity, unit };
}

/** Reads a whole number between two bounds, inclusive; `undefined` for anything else. */
export function integerOf(value: unknown, min = 0, max = Number.MAX_SAFE_INTEGER): number | undefined {
  const number = numberOf(value);
  return number !== undefined && Number.isInteger(number) && number >= min && number <= max
    ? number
    : undefined;
}
