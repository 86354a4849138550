import type { Quantity } from '../../values/numbers.ts';

/** A point in time and its measured value, if there is one. */
export interface MeasuredPoint {
  readonly timeMs: number;
  readonly quantity: Quantity | undefined;
}

/** Points are regular if at least this share of their distances are equal, within the tolerance. */
const minRegularRatio = 0.75;
const stepTolerance = 0.1;
/** A distance longer than this many regular steps is a gap. */
const gapSteps = 1.5;

/**
 * Sorts points, oldest first. If several points have the same time, the last one with a value is
 * kept. A gap between regular points becomes a point without a value.
 */
export function normalizePoints(points: readonly MeasuredPoint[]): readonly MeasuredPoint[] {
  const byTime = new Map<number, MeasuredPoint>();
  for (const point of points) {
    if (point.quantity !== undefined || !byTime.has(point.timeMs)) byTime.set(point.timeMs, point);
  }
  const ordered = [...byTime.values()].toSorted((a, b) => a.timeMs - b.timeMs);
  const stepMs = findRegularStepMs(ordered);
  if (stepMs === undefined) return ordered;
  return ordered.flatMap((point, index) => {
    const previousMs = ordered[index - 1]?.timeMs ?? point.timeMs;
    const isGap = point.timeMs - previousMs > stepMs * gapSteps;
    return isGap ? [{ timeMs: previousMs + stepMs, quantity: undefined }, point] : [point];
  });
}

function findRegularStepMs(ordered: readonly MeasuredPoint[]): number | undefined {
  const distances = ordered.slice(1).map(({ timeMs }, index) => timeMs - (ordered[index]?.timeMs ?? timeMs));
  const middle = distances.toSorted((a, b) => a - b)[Math.floor(distances.length / 2)];
  if (middle === undefined) return undefined;
  const alike = distances.filter((distance) => Math.abs(distance - middle) <= middle * stepTolerance);
  return alike.length >= distances.length * minRegularRatio ? middle : undefined;
}
