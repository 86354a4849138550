import type { Reading } from '../readings/reading.ts';
import { parseQuantity } from '../values/numbers.ts';
import { bytesPerSecondPerUnit, bytesPerUnit, splitUnit } from '../values/units.ts';

/** Units that a correction can state. */
export const correctionUnits = [
  'percent',
  'fraction',
  'bytes',
  'kb',
  'mb',
  'gb',
  'tb',
  'kbps',
  'mbps',
] as const;

/** A person's decision to take a reading from a certain field of the payload. */
export interface Correction {
  /** ID of the reading. */
  readonly reading: string;
  /** The address of the field. */
  readonly field: string;
  /** The unit of the field, if the service doesn't name it: `percent`, `mb`. */
  readonly unit?: string | undefined;
}

/** A correction of a known reading. */
export interface PlannedCorrection extends Omit<Correction, 'reading'> {
  readonly reading: Reading;
}

/** Smaller numbers can't be bytes unless something says that they are. */
const minPlausibleBytes = 2 ** 20;
const byteUnits = ['bytes', 'kb', 'mb', 'gb', 'tb', 'pb'];

/**
 * Returns a field name that the readers understand as the reading, in the unit of the values.
 * Returns undefined if the unit is unknown.
 */
export function nameCanonicalField(
  { reading, unit }: Pick<PlannedCorrection, 'reading' | 'unit'>,
  fieldName: string,
  values: readonly unknown[],
): string | undefined {
  const { canonicalField, canonicalUnit } = reading;
  const known = unit ?? (reading.unit && findUnitInName(fieldName));
  if (known !== undefined) return `${canonicalField}_${known}`;
  const quantities = values.flatMap((value) => parseQuantity(value) ?? []);
  const hasUnits = quantities.length > 0 && quantities.every((quantity) => quantity.unit !== undefined);
  if (reading.unit === 'bytes' && !hasUnits) {
    const isLarge = quantities.some(({ value }) => value >= minPlausibleBytes);
    if (!isLarge) return undefined;
  }
  return canonicalUnit === undefined || hasUnits ? canonicalField : `${canonicalField}_${canonicalUnit}`;
}

/** Returns the unit in the last word of a field name, in the spelling that the readers use. */
function findUnitInName(name: string): string | undefined {
  const { unit } = splitUnit(name);
  if (/^(percent|percentage|pct)$/.test(unit)) return 'percent';
  const factor = unit.length > 1 ? bytesPerUnit(unit) : undefined;
  if (factor !== undefined) return byteUnits[Math.round(Math.log(factor) / Math.log(1_024))];
  return bytesPerSecondPerUnit(unit) === undefined ? undefined : unit;
}
