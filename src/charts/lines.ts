import type { Panel, Point, Series } from './spec.ts';

/** A value at a time; `null` is a gap. */
export type LinePoint = readonly [timeMs: number, value: number | null];
/** What a series tells, in order of time, with a gap wherever readings are missing. */
export type Line = readonly LinePoint[];
export type Reading = readonly [timeMs: number, value: number];

export interface TimeSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A pause of more than this many times the usual distance between readings is a gap. */
const longestPause = 3;

/** The year 9999. */
const latestMs = 253_402_300_799_000;
/** Beyond it nothing measures anything, and sums would overflow. */
const largestValue = 1e100;

function isTime(timeMs: number): boolean {
  return timeMs >= 0 && timeMs <= latestMs;
}

function readValue({ value }: Point): number | null {
  return value !== null && Math.abs(value) <= largestValue ? value : null;
}

/** Puts a series in order of time, with a gap for what is not a number and for every pause that is far too long. */
export function lineOf({ points }: Series): Line {
  const sorted = points
    .filter(({ timeMs }) => isTime(timeMs))
    .map((point): LinePoint => [point.timeMs, readValue(point)])
    .sort(([a], [b]) => a - b);
  const pauses = sorted.slice(1).map(([timeMs], index) => timeMs - (sorted[index]?.[0] ?? timeMs));
  pauses.sort((a, b) => a - b);
  const usual = pauses[Math.floor(pauses.length / 2)] ?? 0;
  return sorted.flatMap((point, index): LinePoint[] => {
    const before = sorted[index - 1]?.[0];
    const isPause = before !== undefined && usual > 0 && point[0] - before > longestPause * usual;
    return isPause ? [[(before + point[0]) / 2, null], point] : [point];
  });
}

/** Gives the readings of a line: its points that are no gaps. */
export function readingsOf(line: Line): readonly Reading[] {
  return line.flatMap(([timeMs, value]): Reading[] => (value === null ? [] : [[timeMs, value]]));
}

/** Tells whether no line reaches a point, since there are gaps on both sides. */
export function isAlone(line: Line, index: number): boolean {
  const valueAt = (place: number) => line[place]?.[1] ?? null;
  return valueAt(index) !== null && valueAt(index - 1) === null && valueAt(index + 1) === null;
}

/** Gives the time that panels cover together; nothing if none of them has a point. */
export function timeSpan(panels: readonly Panel[]): TimeSpan | undefined {
  let fromMs = Number.POSITIVE_INFINITY;
  let untilMs = Number.NEGATIVE_INFINITY;
  for (const { timeMs } of panels.flatMap(({ series }) => series).flatMap(({ points }) => points)) {
    if (!isTime(timeMs)) continue;
    fromMs = Math.min(fromMs, timeMs);
    untilMs = Math.max(untilMs, timeMs);
  }
  return fromMs > untilMs ? undefined : { fromMs, untilMs };
}
