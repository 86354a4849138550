import { z } from 'zod';
import type { Measure, RrdReading, RrdSeries } from '../../hosting/readings/rrd.ts';
import { courseOf, type Period, partsOf, stepOf } from '../summary/course.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** As long as the range that the service calls a week, and a day for the hours that are already of the next report. */
const keptMs = 8 * dayMs;

/** The range that the service calls a week. */
const weekMs = 7 * dayMs;

/** A hole between what is kept and what is read that is no longer does no harm. */
const smallestHoleMs = 2 * hourMs;

/** What reports judge a day by. */
const measures = ['cpu', 'memory', 'disk', 'networkIn', 'networkOut'] as const satisfies readonly Measure[];

const units = {
  cpu: 'percent',
  memory: 'percent',
  disk: 'percent',
  networkIn: 'bytesPerSecond',
  networkOut: 'bytesPerSecond',
} as const satisfies Record<(typeof measures)[number], RrdSeries['unit']>;

/** What is kept of the history of a VPS, as its row keeps it: means of an hour each, or of as many hours as the service's own readings of a week are apart. */
export const hours = z.object({
  /** Where the first begins, in ms since the epoch. */
  fromMs: z.int(),
  stepMs: z.int().positive(),
  /** One after the other; `null` where nothing is known. */
  means: z.partialRecord(z.enum(measures), z.array(z.number().nullable())),
});

export type Hours = z.infer<typeof hours>;

/** Hours of a VPS, and the time that was asked for them, whether or not the service had points of all of it. */
export interface KeptHours extends Period {
  readonly hours: Hours;
}

/** Tells whether the hours that are kept make it needless to read the week before a period once more. */
export function reachesBack({ fromMs, untilMs }: Period, period: Period): boolean {
  const weekBeforeMs = period.untilMs - weekMs;
  return fromMs <= weekBeforeMs + smallestHoleMs && untilMs >= period.fromMs - smallestHoleMs;
}

/**
 * Makes hours of what was read for a report, and of the hours that were kept before: what the next report will judge its day by. `asked` is the
 * time that the readings were asked for.
 */
export function keepHours(
  readings: readonly RrdReading[],
  before: KeptHours | undefined,
  asked: Period,
): KeptHours {
  const untilMs = asked.untilMs;
  const oldestMs = untilMs - keptMs;
  const isJoined = before !== undefined && before.untilMs >= asked.fromMs - smallestHoleMs;
  const sinceMs = isJoined ? Math.min(before.fromMs, asked.fromMs) : asked.fromMs;
  const all = isJoined ? [...readings, toReading(before.hours)] : readings;
  const fromMs = Math.max(sinceMs, oldestMs);
  const { originMs, stepMs } = isJoined
    ? { originMs: before.hours.fromMs, stepMs: before.hours.stepMs }
    : gridOf(readings, untilMs);
  const firstMs = originMs + Math.floor((fromMs - originMs) / stepMs) * stepMs;
  const count = Math.ceil((untilMs - firstMs) / stepMs);
  const period = { fromMs: firstMs, untilMs: firstMs + count * stepMs };
  const means = measures.flatMap((measure) => {
    const course = courseOf(all, measure, untilMs);
    if (course.length === 0) return [];
    return [[measure, partsOf(course, period, count).map(inShort)] as const];
  });
  return { fromMs, untilMs, hours: { fromMs: firstMs, stepMs, means: Object.fromEntries(means) } };
}

/** Gives hours as a history, to be read beside those of the service. */
export function toReading({ fromMs, stepMs, means }: Hours): RrdReading {
  const series = measures.flatMap((measure): RrdSeries[] => {
    const values = means[measure];
    if (!values) return [];
    const points = values.map((value, index) => ({ timeMs: fromMs + index * stepMs, value }));
    return [{ key: measure, label: measure, unit: units[measure], measure, points }];
  });
  return { series, rest: {} };
}

/** What is kept must not look finer than it was read: an hour of a reading of two would be taken for as busy as the other. */
function gridOf(readings: readonly RrdReading[], untilMs: number) {
  const courses = readings.flatMap((reading) =>
    measures.map((measure) => courseOf([reading], measure, untilMs)),
  );
  const [coarsest = []] = courses.toSorted((a, b) => stepOf(b) - stepOf(a));
  const stepMs = Math.max(1, Math.ceil(stepOf(coarsest) / hourMs)) * hourMs;
  return { originMs: coarsest[0]?.fromMs ?? 0, stepMs };
}

/** Four digits are more than a mean is worth. */
function inShort(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(4));
}
