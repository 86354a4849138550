import type { Leaf } from '../../payload/leaves.ts';
import { liveReadings } from '../../readings/metric-readings.ts';
import { isPlausible } from '../../readings/reading.ts';
import { parseNumber } from '../../values/numbers.ts';
import { joinUnwrappedPath } from '../field-meaning.ts';

/** Load averages, and the leaves that contain them. */
export interface FoundLoad {
  readonly values: readonly number[];
  readonly leaves: readonly Leaf[];
}

const loadPattern = /^(?:sys|system)?load(?:avg|average|averages)?$/;
const loadPeriodPattern = /^(?:sys|system)?load(?:avg|average|averages)?(1|5|15)(?:m|min|minutes?)?$/;

/** Reads load averages from a list or string of up to three numbers, or from one field for each. */
export function readLoadAverage(leaves: readonly Leaf[]): FoundLoad {
  const named = leaves.map((leaf) => ({ leaf, name: joinUnwrappedPath(leaf.path) }));
  for (const { leaf, name } of named) {
    const values = loadPattern.test(name) ? parseNumbers(leaf.value) : [];
    // A single number named `load` can be a percentage.
    const isNamed = values.length > 1 || !/load$/.test(name);
    if (values.length > 0 && values.length <= 3 && isNamed) return { values, leaves: [leaf] };
  }
  const found = named.flatMap(({ leaf, name }) => {
    const [, minutes] = loadPeriodPattern.exec(name) ?? [];
    const value = parseNumber(leaf.value);
    return minutes === undefined || value === undefined || value < 0
      ? []
      : [{ leaf, minutes: Number(minutes), value }];
  });
  const sorted = found.toSorted((a, b) => a.minutes - b.minutes);
  return { values: sorted.map(({ value }) => value), leaves: sorted.map(({ leaf }) => leaf) };
}

export function parseNumbers(value: Leaf['value']): number[] {
  const parts = typeof value === 'string' ? value.split(/[\s,/]+/) : [value].flat();
  const numbers = parts.map(parseNumber);
  const isLoad = numbers.every(
    (number) => number !== undefined && isPlausible(liveReadings.loadAverage, number),
  );
  return isLoad ? numbers.flatMap((number) => number ?? []) : [];
}
