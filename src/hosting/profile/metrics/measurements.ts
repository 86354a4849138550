import type { Leaf } from '../payload/leaves.ts';
import type { Quantity } from '../values/numbers.ts';
import { bytesPerSecondPerUnit, bytesPerUnit } from '../values/units.ts';
import type { FieldMeaning } from './field-meaning.ts';

/** A number with the meaning of its field name. */
export interface Measurement {
  readonly meaning: FieldMeaning;
  readonly quantity: Quantity;
}

/** A leaf whose meaning is known. */
export interface LeafMeasurement extends Measurement {
  readonly leaf: Leaf;
}

/** Smaller numbers can't be the bytes of a server's memory or disk. */
const minPlausibleBytes = 2 ** 20;

/** Returns a percentage, or undefined if neither the unit nor the name says that the number is a share. */
export function parseExplicitPercent({
  quantity: { value, unit },
  meaning,
}: Measurement): number | undefined {
  const knownUnit = unit ?? meaning.unit ?? '';
  if (/^(%|perc.*|pct)$/i.test(knownUnit)) return value;
  return /^(fraction|ratio|share)$/i.test(knownUnit) ? value * 100 : undefined;
}

/** Returns whether neither the number nor its name has a unit. */
export function hasNoUnit({ quantity, meaning }: Measurement): boolean {
  return quantity.unit === undefined && meaning.unit === undefined;
}

/** Converts an amount to bytes. `isInBytes` says whether a number without a unit counts as bytes. */
export function toBytes(measured: Measurement, isInBytes: boolean): number | undefined {
  const { quantity, meaning } = measured;
  if (hasNoUnit(measured)) return isInBytes && isByteAmount(quantity.value) ? quantity.value : undefined;
  const factor = bytesPerUnit(quantity.unit ?? meaning.unit ?? '');
  return factor === undefined ? undefined : quantity.value * factor;
}

/**
 * Returns whether a number is an amount in bytes. Beside such amounts, a small number can be a
 * percentage.
 */
function isByteAmount(value: number): boolean {
  return value === 0 || value >= minPlausibleBytes;
}

/**
 * An amount of transferred data: per second, in total since the start, or unknown if neither the
 * unit nor the name says which.
 */
export interface Flow {
  readonly bytes: number;
  readonly per: 'second' | 'start' | 'unknown';
}

/** Converts an amount of transferred data to bytes. Returns undefined if the unit is unknown. */
export function toFlow({ quantity: { value, unit }, meaning }: Measurement): Flow | undefined {
  const knownUnit = unit ?? meaning.unit ?? '';
  const perS = bytesPerSecondPerUnit(knownUnit);
  if (perS !== undefined) return { bytes: value * perS, per: 'second' };
  if (/^[kmg]?bit$/i.test(knownUnit))
    return { bytes: value * (bytesPerSecondPerUnit(`${knownUnit}/s`) ?? 1), per: 'second' };
  const factor = knownUnit === '' ? 1 : bytesPerUnit(knownUnit);
  if (factor === undefined) return undefined;
  if (meaning.isRate) return { bytes: value * factor, per: 'second' };
  const isTotal = knownUnit !== '' || meaning.role === 'total';
  return { bytes: value * factor, per: isTotal ? 'start' : 'unknown' };
}

/** A VPS that transfers anything rarely transfers fewer bytes a second, but often fewer MB or Mbit. */
const minClearRate = 100;

/** Returns whether rates without a unit can be in kB, MB or Mbit instead of bytes: they have decimals or are small. */
export function canBeLargerUnit(rates: readonly number[]): boolean {
  const isSmall = rates.some((rate) => rate > 0) && rates.every((rate) => rate < minClearRate);
  return isSmall || !rates.every(Number.isInteger);
}
