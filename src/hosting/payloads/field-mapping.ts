import { isPlausible, type KnownValue } from './known-values.ts';
import { findNameUnit, parseQuantity, parseUnit } from './quantity.ts';

/** Units that a field mapping can state. */
export const mappingUnits = ['percent', 'fraction', 'bytes', 'kb', 'mb', 'gb', 'tb', 'kbps', 'mbps'] as const;

/** A person's decision to take a value from a certain field of the payload. */
export interface FieldMapping {
  /** ID of the known value. */
  readonly value: string;
  /** The address of the field. Empty if the value isn't to be shown. */
  readonly field: string;
  /** The unit of the field, if the service doesn't name it: `percent`, `mb`. */
  readonly unit?: string | undefined;
}

/** Smaller numbers can't be bytes unless their unit is known to be bytes. */
const minUnstatedBytes = 2 ** 20;

/**
 * Converts the content of a mapped field to a known value. The unit stands beside the number, is
 * stated by the person, or is in the field's name. Returns undefined if the result can't be true.
 */
export function toMappedNumber(
  known: KnownValue,
  { name, content }: { readonly name: string; readonly content: unknown },
  statedUnit: string | undefined,
): number | undefined {
  const quantity = parseQuantity(content);
  const text = quantity?.unit ?? statedUnit;
  const unit = text === undefined ? findNameUnit(name) : parseUnit(text);
  const wanted = known.unit;
  if (!quantity || (text !== undefined && !unit)) return undefined;
  // An amount can be per second: the person knows which of the two the field is.
  const isRate = wanted === 'bytesPerSecond' && unit?.dimension === 'bytes';
  if (wanted !== undefined && unit && unit.dimension !== wanted && !isRate) return undefined;
  // A person who states no unit means the one in which Rackhand shows the value.
  if (wanted === 'bytes' && !unit && quantity.value !== 0 && quantity.value < minUnstatedBytes)
    return undefined;
  const number = quantity.value * (wanted === undefined ? 1 : (unit?.factor ?? 1));
  return isPlausible(known, number) ? number : undefined;
}
