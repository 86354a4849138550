import { z } from 'zod';
import type { Measure, RrdReading, RrdSeries } from '../../hosting/readings/rrd.ts';
import { courseOf, type Period, partsOf } from '../summary/course.ts';

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

/** What is kept of the history of a VPS: the mean of each hour, as its row keeps it. */
export const hours = z.object({
  /** Where the first hour begins, in ms since the epoch. */
  fromMs: z.int(),
  /** The hours one after the other; `null` where nothing is known. */
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
  const firstMs = Math.floor(fromMs / hourMs) * hourMs;
  const count = Math.ceil((untilMs - firstMs) / hourMs);
  const period = { fromMs: firstMs, untilMs: firstMs + count * hourMs };
  const means = measures.flatMap((measure) => {
    const course = courseOf(all, measure, untilMs);
    if (course.length === 0) return [];
    return [[measure, partsOf(course, period, count).map(inShort)] as const];
  });
  return { fromMs, untilMs, hours: { fromMs: firstMs, means: Object.fromEntries(means) } };
}

/** Gives hours as a history, to be read beside those of the service. */
export function toReading({ fromMs, means }: Hours): RrdReading {
  const series = measures.flatMap((measure): RrdSeries[] => {
    const values = means[measure];
    if (!values) return [];
    const points = values.map((value, index) => ({ timeMs: fromMs + index * hourMs, value }));
    return [{ key: measure, label: measure, unit: units[measure], measure, points }];
  });
  return { series, rest: {} };
}

/** Four digits are more than a mean is worth. */
function inShort(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(4));
}
