import type { Panel, Point, Series } from './chart-spec.ts';

/** A value at a point in time; `null` marks a gap. */
export type LinePoint = readonly [timeMs: number, value: number | null];
/** A series' points sorted by time, with gaps where samples are missing. */
export type Line = readonly LinePoint[];
export type Sample = readonly [timeMs: number, value: number];

export interface TimeSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Maximum distance between two points, as a multiple of the usual distance. A longer distance is a gap. */
const maxGapFactor = 3;

/** The end of the year 9999. */
const maxTimeMs = 253_402_300_799_000;
/** Maximum value. Larger ones aren't plausible, and their sums would overflow. */
const maxValue = 1e100;

function isTime(timeMs: number): boolean {
  return timeMs >= 0 && timeMs <= maxTimeMs;
}

function toValue({ value }: Point): number | null {
  return value !== null && Math.abs(value) <= maxValue ? value : null;
}

/** Sorts a series' points by time. Non-finite values and long pauses become gaps. */
export function toLine({ points }: Series): Line {
  const sorted = points
    .filter(({ timeMs }) => isTime(timeMs))
    .map((point): LinePoint => [point.timeMs, toValue(point)])
    .sort(([a], [b]) => a - b);
  const pauses = sorted.slice(1).map(([timeMs], index) => timeMs - (sorted[index]?.[0] ?? timeMs));
  pauses.sort((a, b) => a - b);
  const usual = pauses[Math.floor(pauses.length / 2)] ?? 0;
  return sorted.flatMap((point, index): LinePoint[] => {
    const previous = sorted[index - 1]?.[0];
    const isGap = previous !== undefined && usual > 0 && point[0] - previous > maxGapFactor * usual;
    return isGap ? [[(previous + point[0]) / 2, null], point] : [point];
  });
}

/** Returns a line's points, without gaps. */
export function toSamples(line: Line): readonly Sample[] {
  return line.flatMap(([timeMs, value]): Sample[] => (value === null ? [] : [[timeMs, value]]));
}

/** Returns whether a point has gaps on both sides, so no line can be drawn to it. */
export function isIsolated(line: Line, index: number): boolean {
  const valueAt = (position: number) => line[position]?.[1] ?? null;
  return valueAt(index) !== null && valueAt(index - 1) === null && valueAt(index + 1) === null;
}

/** Returns the time span from the first to the last point in all panels, or undefined if there are no points. */
export function findTimeSpan(panels: readonly Panel[]): TimeSpan | undefined {
  let fromMs = Number.POSITIVE_INFINITY;
  let untilMs = Number.NEGATIVE_INFINITY;
  for (const { timeMs } of panels.flatMap(({ series }) => series).flatMap(({ points }) => points)) {
    if (!isTime(timeMs)) continue;
    fromMs = Math.min(fromMs, timeMs);
    untilMs = Math.max(untilMs, timeMs);
  }
  return fromMs > untilMs ? undefined : { fromMs, untilMs };
}
