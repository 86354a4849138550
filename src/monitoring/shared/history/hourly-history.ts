import { z } from 'zod';
import type { RrdHistory, RrdSeries } from '../../../hosting/payloads/history.ts';
import type { RrdMetric } from '../../../hosting/payloads/known-values.ts';
import type { Period } from '../../../time/periods.ts';
import { dayMs, hourMs, weekMs } from '../../../time/units.ts';
import { bucketMeans, buildTimeSeries, typicalStepMs } from '../time-series.ts';

/** Covers the week of the service's range, and a day whose hours the next report already has. */
const retainedMs = 8 * dayMs;

/** Longest gap between stored and new hours with which they can still be joined. */
const maxHarmlessGapMs = 2 * hourMs;

/** The measures for which reports need usual values. */
const measures = ['cpu', 'memory', 'disk', 'networkIn', 'networkOut'] as const satisfies readonly RrdMetric[];

const units = {
  cpu: 'percent',
  memory: 'percent',
  disk: 'percent',
  networkIn: 'bytesPerSecond',
  networkOut: 'bytesPerSecond',
} as const satisfies Record<(typeof measures)[number], RrdSeries['unit']>;

/**
 * The stored history of a VPS as hourly means. The means are coarser if the steps of the service's
 * week are longer.
 */
export const hourlyMeans = z.object({
  /** Start of the first mean, in epoch ms. */
  fromMs: z.int(),
  stepMs: z.int().positive(),
  /** Consecutive means. A mean is `null` if it is unknown. */
  means: z.partialRecord(z.enum(measures), z.array(z.number().nullable())),
});

export type HourlyMeans = z.infer<typeof hourlyMeans>;

/** Hourly means and the period that was requested. The service may have no data for parts of it. */
export interface StoredHistory extends Period {
  readonly hourlyMeans: HourlyMeans;
}

/** Returns whether the week before a period can be taken from the stored hours. */
export function coversWeekBefore({ fromMs, untilMs }: Period, period: Period): boolean {
  const weekBeforeMs = period.untilMs - weekMs;
  return fromMs <= weekBeforeMs + maxHarmlessGapMs && untilMs >= period.fromMs - maxHarmlessGapMs;
}

/**
 * Merges new readings and stored hours into the hours that the next report needs. `requested` is
 * the period for which the readings were requested.
 */
export function mergeHistory(
  readings: readonly RrdHistory[],
  before: StoredHistory | undefined,
  requested: Period,
): StoredHistory {
  const untilMs = requested.untilMs;
  const oldestMs = untilMs - retainedMs;
  const isJoined = before !== undefined && before.untilMs >= requested.fromMs - maxHarmlessGapMs;
  const sinceMs = isJoined ? Math.min(before.fromMs, requested.fromMs) : requested.fromMs;
  const all = isJoined ? [...readings, toReading(before.hourlyMeans)] : readings;
  const fromMs = Math.max(sinceMs, oldestMs);
  const { originMs, stepMs } = isJoined
    ? { originMs: before.hourlyMeans.fromMs, stepMs: before.hourlyMeans.stepMs }
    : alignmentOf(readings, untilMs);
  const firstMs = originMs + Math.floor((fromMs - originMs) / stepMs) * stepMs;
  const count = Math.ceil((untilMs - firstMs) / stepMs);
  const period = { fromMs: firstMs, untilMs: firstMs + count * stepMs };
  const means = measures.flatMap((measure) => {
    const series = buildTimeSeries(all, measure, untilMs);
    if (series.length === 0) return [];
    return [[measure, bucketMeans(series, period, count).map(roundToFourDigits)] as const];
  });
  return { fromMs, untilMs, hourlyMeans: { fromMs: firstMs, stepMs, means: Object.fromEntries(means) } };
}

/** Converts stored hours to a history like those from the service. */
export function toReading({ fromMs, stepMs, means }: HourlyMeans): RrdHistory {
  const series = measures.flatMap((measure): RrdSeries[] => {
    const values = means[measure];
    if (!values) return [];
    const points = values.map((value, index) => ({ timeMs: fromMs + index * stepMs, value }));
    return [{ key: measure, label: measure, unit: units[measure], metric: measure, points }];
  });
  return { series, otherFields: {} };
}

/**
 * Returns the start and length of the stored steps. Steps must not be finer than the readings,
 * because a two-hour mean can't be split into hourly means.
 */
function alignmentOf(readings: readonly RrdHistory[], untilMs: number) {
  const candidates = readings.flatMap((reading) =>
    measures.map((measure) => buildTimeSeries([reading], measure, untilMs)),
  );
  const [coarsest = []] = candidates.toSorted((a, b) => typicalStepMs(b) - typicalStepMs(a));
  const stepMs = Math.max(1, Math.ceil(typicalStepMs(coarsest) / hourMs)) * hourMs;
  return { originMs: coarsest[0]?.fromMs ?? 0, stepMs };
}

/** Rounds a mean. Four digits are precise enough. */
function roundToFourDigits(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(4));
}
