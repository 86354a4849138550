import type { Unit } from './spec.ts';

/** An axis from `min` to `max`, both multiples of `step`. */
export interface ValueScale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

const mostSteps = 3;
/** What is smaller is drawn as zero. */
const smallest = 1e-100;
const decimalSteps = [1, 2, 5, 10];
/** In the unit that the values have: round in it, and from 256 on a part of the next. */
const binarySteps = [0.5, 1, 2, 5, 10, 20, 50, 100, 256, 512];

/** Chooses an axis that begins at zero and has two or three steps: percent to 100 where that is enough, bytes in binary steps. */
export function valueScale(unit: Unit, values: readonly number[]): ValueScale {
  let low = 0;
  let high = 0;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (unit === 'percent' && low === 0 && high <= 100) return { min: 0, max: 100, step: 50 };
  const largest = Math.max(-low, high);
  const step = largest < smallest ? 1 : niceStep(unit, largest);
  const min = Math.floor(low / step) * step + 0;
  return { min, max: Math.max(Math.ceil(high / step) * step, min + step), step };
}

function niceStep(unit: Unit, largest: number): number {
  const isBinary = unit === 'bytes' || unit === 'bytesPerSecond';
  const base = isBinary ? 1024 : 10;
  const power = isBinary
    ? Math.max(0, Math.floor(Math.log2(largest) / 10))
    : Math.floor(Math.log10(largest / mostSteps));
  const size = base ** power;
  const steps = isBinary ? binarySteps : decimalSteps;
  return (
    (steps.find((step) => largest / size <= step * mostSteps) ?? Math.ceil(largest / size / mostSteps)) * size
  );
}
