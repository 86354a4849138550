import { parseSeconds } from '../values/durations.ts';
import { parseQuantity } from '../values/numbers.ts';
import { bytesPerSecondPerUnit, bytesPerUnit, splitUnit } from '../values/units.ts';
import { maxShare } from './metric-readings.ts';
import { isPlausible, type Reading } from './reading.ts';

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

/** A person's decision to take a reading from a certain field of the payload, or from two fields. */
export interface Correction {
  /** ID of the reading. */
  readonly reading: string;
  /** The address of the field, or of two fields: `used / total`, `total - free`, `rx + rx6`. */
  readonly field: string;
  /** The unit of the field, if the service doesn't name it: `percent`, `mb`. */
  readonly unit?: string | undefined;
}

/** How two fields are combined into one reading: their ratio, difference or sum. */
export type Operator = '/' | '-' | '+';

interface TwoFields {
  readonly left: string;
  readonly operator: Operator;
  readonly right: string;
}

const twoFieldsPattern = /^((?:"(?:[^"\\]|\\.)*"|[^"])+?) ([/+-]) (.+)$/;

/** Parses a field of two fields. Returns undefined for a single field. */
export function parseTwoFields(field: string): TwoFields | undefined {
  const [, left, operator, right] = twoFieldsPattern.exec(field) ?? [];
  if (left === undefined || right === undefined) return undefined;
  return { left, operator: operator as Operator, right };
}

/** Returns the fields that a correction names. */
export function listCorrectionFields({ field }: Pick<Correction, 'field'>): readonly string[] {
  const two = parseTwoFields(field);
  return two ? [two.left, two.right] : [field];
}

/**
 * Returns whether an operator can produce a reading: `/` only percentages, the others only
 * amounts.
 */
export function fitsOperator({ unit }: Reading, operator: Operator): boolean {
  return operator === '/' ? unit === 'percent' : unit !== undefined && unit !== 'percent';
}

/** A value that a person chose, with the name of its field. */
export interface ChosenValue {
  readonly name: string;
  readonly value: unknown;
}

/** Converts a chosen value to the unit of a reading. Returns undefined if it isn't such a number. */
export function toReadingNumber(
  reading: Reading,
  chosen: ChosenValue,
  unit: string | undefined,
): number | undefined {
  const number = convert(reading, chosen.value, findUnit(chosen, unit));
  return number !== undefined && isPlausible(reading, number) ? number : undefined;
}

/** Smaller numbers can't be bytes unless their unit is known to be bytes. */
const minPlausibleBytes = 2 ** 20;

function convert(reading: Reading, value: unknown, unit: string | undefined): number | undefined {
  if (reading.unit === 'seconds') return parseSeconds(value, unit);
  const number = parseQuantity(value)?.value;
  const factor = number === undefined ? undefined : findFactor(reading, number, unit);
  return number === undefined || factor === undefined ? undefined : number * factor;
}

function findFactor({ unit: wanted }: Reading, number: number, unit: string | undefined): number | undefined {
  if (wanted === 'percent') {
    if (unit === undefined || /^(%|perc.*|pct)$/i.test(unit)) return 1;
    return /^(fraction|ratio|share)$/i.test(unit) ? 100 : undefined;
  }
  if (wanted === 'bytes') {
    if (unit !== undefined) return bytesPerUnit(unit);
    return number === 0 || number >= minPlausibleBytes ? 1 : undefined;
  }
  if (wanted !== 'bytesPerSecond' || unit === undefined) return 1;
  return bytesPerSecondPerUnit(unit) ?? bytesPerUnit(unit);
}

/**
 * Calculates a reading from two chosen values. Returns undefined if they can't be combined, or if
 * the result can't be true.
 */
export function combineValues(
  reading: Reading,
  [left, right]: readonly [ChosenValue, ChosenValue],
  operator: Operator,
  unit: string | undefined,
): number | undefined {
  if (!fitsOperator(reading, operator)) return undefined;
  const operand: Reading = {
    ...reading,
    plausible: anyAmount,
    ...(operator === '/' && { unit: 'bytes' as const }),
  };
  // Two numbers without a unit are in the same one, so their share is known.
  const isUnitless = operator === '/' && [left, right].every((each) => findUnit(each) === undefined);
  const known = unit ?? (isUnitless ? 'bytes' : undefined);
  const [a, b] = [toReadingNumber(operand, left, known), toReadingNumber(operand, right, known)];
  if (a === undefined || b === undefined) return undefined;
  const result = operator === '/' ? calculatePercent(a, b) : operator === '-' ? a - b : a + b;
  return result !== undefined && isPlausible(reading, result) ? result : undefined;
}

const anyAmount = { min: 0, max: Number.MAX_SAFE_INTEGER } as const;

/** Calculates a percentage. Returns undefined if it can't be true. */
export function calculatePercent(used: number | undefined, total: number | undefined): number | undefined {
  if (used === undefined || total === undefined || total <= 0 || used < 0 || used > total * maxShare)
    return undefined;
  return (used / total) * 100;
}

/**
 * Returns the unit of a value: its own unit, the one that a person stated, or the one in the
 * field's name.
 */
function findUnit({ name, value }: ChosenValue, stated?: string): string | undefined {
  return parseQuantity(value)?.unit ?? stated ?? findUnitInName(name);
}

/** Returns the unit in the last word of a field name. */
function findUnitInName(name: string): string | undefined {
  const { unit } = splitUnit(name);
  if (/^(percent|percentage|pct)$/.test(unit)) return 'percent';
  const isUnit = unit.length > 1 && (bytesPerUnit(unit) ?? bytesPerSecondPerUnit(unit)) !== undefined;
  return isUnit ? unit : undefined;
}
