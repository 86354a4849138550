import type { Quantity } from './numbers.ts';

/** What was measured at a moment, if anything. */
export interface MeasuredPoint {
  readonly timeMs: number;
  readonly quantity: Quantity | undefined;
}

/** Distances between points are regular where so many of them are alike, and alike where they differ by so little. */
const regularShare = 0.75;
const alikeShare = 0.1;
/** A distance so many times as long as the others is a hole. */
const holeSteps = 1.5;

/** Puts points in order, oldest first and each time once: of two, the later that has a value. A hole in regular points becomes a point without a value. */
export function orderPoints(points: readonly MeasuredPoint[]): readonly MeasuredPoint[] {
  const byTime = new Map<number, MeasuredPoint>();
  for (const point of points) {
    if (point.quantity !== undefined || !byTime.has(point.timeMs)) byTime.set(point.timeMs, point);
  }
  const ordered = [...byTime.values()].toSorted((a, b) => a.timeMs - b.timeMs);
  const stepMs = regularStepMs(ordered);
  if (stepMs === undefined) return ordered;
  return ordered.flatMap((point, index) => {
    const previousMs = ordered[index - 1]?.timeMs ?? point.timeMs;
    const isHole = point.timeMs - previousMs > stepMs * holeSteps;
    return isHole ? [{ timeMs: previousMs + stepMs, quantity: undefined }, point] : [point];
  });
}

function regularStepMs(ordered: readonly MeasuredPoint[]): number | undefined {
  const distances = ordered.slice(1).map(({ timeMs }, index) => timeMs - (ordered[index]?.timeMs ?? timeMs));
  const middle = distances.toSorted((a, b) => a - b)[Math.floor(distances.length / 2)];
  if (middle === undefined) return undefined;
  const alike = distances.filter((distance) => Math.abs(distance - middle) <= middle * alikeShare);
  return alike.length >= distances.length * regularShare ? middle : undefined;
}
