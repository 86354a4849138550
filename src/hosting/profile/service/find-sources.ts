import { isDeepStrictEqual } from 'node:util';
import { formatIsoTime, type Reading, type ReadingValue } from '../readings/reading.ts';
import { parseQuantity } from '../values/numbers.ts';
import { parseTimeMs } from '../values/times.ts';
import { type Field, removeField } from './field-address.ts';

/** The fields from which a reading comes. */
export interface ReadingSource {
  readonly reading: Reading;
  readonly value: ReadingValue;
  /** Contains several fields if the reading is calculated. */
  readonly fields: readonly Field[];
  /** Whether the value isn't that of one field, apart from its unit. */
  readonly isCalculated: boolean;
  /**
   * Whether the reading can hardly mean something else: no other field would give another value,
   * and no unit was guessed.
   */
  readonly isCertain: boolean;
}

/**
 * Finds the fields from which each reading comes: without them, the reader finds something else or
 * nothing. In this way, only the readers have to know what fields mean.
 */
export function findSources(
  data: unknown,
  vpsName: string,
  fields: readonly Field[],
  readings: readonly Reading[],
): readonly ReadingSource[] {
  const readAll = (payload: unknown) => readings.map((reading) => reading.read(payload, vpsName));
  const before = readAll(data);
  const without = fields.map((field) => ({ field, values: readAll(removeField(data, field.address)) }));
  const countChanges = (values: readonly (ReadingValue | undefined)[]) =>
    values.filter((value, index) => !isDeepStrictEqual(value, before[index])).length;
  const ablations = without
    .map((ablation) => ({ ...ablation, changes: countChanges(ablation.values) }))
    .toSorted((a, b) => a.changes - b.changes);
  return readings.flatMap((reading, index): ReadingSource[] => {
    const value = before[index];
    if (value === undefined) return [];
    const needed = ablations.filter(({ values }) => !isDeepStrictEqual(values[index], value));
    // If several fields agree, the reading needs none of them.
    const direct =
      needed.find(({ field }) => isSameValue(field, reading, value)) ??
      needed.find(({ field }) => isScaled(field, value)) ??
      ablations.find(({ field }) => isSameValue(field, reading, value)) ??
      (needed.length === 0 ? ablations.find(({ field }) => isScaled(field, value)) : undefined);
    if (direct) {
      const other = direct.values[index];
      const isContested = other !== undefined && !isSubset(other, value) && reading.type !== 'names';
      const isGuessed = !isSameValue(direct.field, reading, value) && !namesUnit(direct.field);
      return [
        {
          reading,
          value,
          fields: [direct.field],
          isCalculated: false,
          isCertain: !isContested && !isGuessed,
        },
      ];
    }
    const fewest = needed[0]?.changes;
    const calculated = needed.filter(({ changes }) => changes === fewest).map(({ field }) => field);
    // The reading consists of the entries of several lists, such as addresses of both kinds.
    const isListed =
      calculated.length > 1 &&
      isSameValue({ address: [], values: calculated.flatMap(({ values }) => values) }, reading, value);
    return [{ reading, value, fields: calculated, isCalculated: true, isCertain: isListed }];
  });
}

function listScalars(value: ReadingValue): readonly (string | number | boolean)[] {
  return typeof value === 'object' ? Object.values(value) : [value];
}

function isSubset(part: ReadingValue, whole: ReadingValue): boolean {
  const all = listScalars(whole);
  return listScalars(part).every((value) => all.includes(value));
}

/** Returns whether the values of a field are those of a reading, even if they are written differently. */
export function isSameValue({ values }: Field, { type }: Reading, value: ReadingValue): boolean {
  // Flags have only two values, so other flags in a payload can have the same ones by chance.
  if (type === 'flag') return listScalars(value).join() === values.join();
  const own = new Set(values.flatMap((each) => [String(each).toLowerCase(), normalize(each, type)]));
  return listScalars(value).every((each) => own.has(String(each).toLowerCase()));
}

function normalize(value: unknown, type: Reading['type']): string {
  if (type === 'time') {
    const timeMs = parseTimeMs(value);
    return timeMs === undefined ? '' : formatIsoTime(timeMs);
  }
  const quantity = type === 'number' ? parseQuantity(value) : undefined;
  return String(quantity?.value ?? value).toLowerCase();
}

/** Factors between a value and how it is written: percent, binary and decimal units, bits. */
const factors = [
  100,
  ...[1, 2, 3, 4].map((power) => 1_024 ** power),
  ...[1, 1e3, 1e6, 1e9].map((n) => n / 8),
];

function isScaled({ values }: Field, value: ReadingValue): boolean {
  const wanted = listScalars(value);
  return values.some((each) => {
    const { value: own = 0 } = parseQuantity(each) ?? {};
    return wanted.some(
      (number) =>
        typeof number === 'number' &&
        own !== 0 &&
        factors.some((factor) => Math.abs(own * factor - number) <= Math.abs(number) * 1e-9),
    );
  });
}

const unitPattern = /percent|pct|%|bytes?|[kmgtp]i?b(?![a-z])|bps|fraction|ratio/i;

function namesUnit({ address, values }: Field): boolean {
  return unitPattern.test(address.at(-1) ?? '') || unitPattern.test(String(values[0]));
}
