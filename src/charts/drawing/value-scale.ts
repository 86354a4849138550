import type { Unit } from '../chart-spec.ts';

/** The range of an axis. `min` and `max` are multiples of `step`. */
export interface ValueScale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

const maxSteps = 3;
/** Smaller values are drawn as zero. */
const minMagnitude = 1e-100;
const decimalSteps = [1, 2, 5, 10];
/** Round numbers in a binary unit. 256 and 512 are a quarter and a half of the next unit. */
const binarySteps = [0.5, 1, 2, 5, 10, 20, 50, 100, 256, 512];

/**
 * Returns an axis that includes zero and has two or three steps. A percent axis ends at 100 if
 * possible; bytes get binary steps.
 */
export function buildValueScale(unit: Unit, values: readonly number[]): ValueScale {
  let low = 0;
  let high = 0;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (unit === 'percent' && low === 0 && high <= 100) return { min: 0, max: 100, step: 50 };
  const largest = Math.max(-low, high);
  const step = largest < minMagnitude ? 1 : niceStep(unit, largest);
  const min = Math.floor(low / step) * step + 0;
  return { min, max: Math.max(Math.ceil(high / step) * step, min + step), step };
}

function niceStep(unit: Unit, largest: number): number {
  const isBinary = unit === 'bytes' || unit === 'bytesPerSecond';
  const base = isBinary ? 1024 : 10;
  const power = isBinary
    ? Math.max(0, Math.floor(Math.log2(largest) / 10))
    : Math.floor(Math.log10(largest / maxSteps));
  const size = base ** power;
  const steps = isBinary ? binarySteps : decimalSteps;
  return (
    (steps.find((step) => largest / size <= step * maxSteps) ?? Math.ceil(largest / size / maxSteps)) * size
  );
}
