import { normalizeFieldName } from '../values/records.ts';

const otherAggregates = ['min', 'minimum', 'avg', 'average', 'mean'];

/**
 * Creates a test for paths with the word `max`. It returns true if the field contains the highest
 * value of an interval and not a size, because its lowest or average value is beside it.
 */
export function createPeakTest(paths: readonly (readonly string[])[]): (path: readonly string[]) => boolean {
  const names = new Set(paths.map(joinPath));
  return (path) => {
    const name = joinPath(path);
    return otherAggregates.some((word) => {
      const other = name.replace(/max(imum)?/, word);
      return other !== name && names.has(other);
    });
  };
}

function joinPath(path: readonly string[]): string {
  return path.map(normalizeFieldName).join('.');
}

/** A size changes at most when the VPS is resized. */
const maxSizes = 2;

/** Returns whether a maximum changes as a size never does. */
export function isVaryingPeak(values: readonly number[]): boolean {
  return new Set(values).size > maxSizes;
}
