import type { RrdHistory, SeriesPoint } from '../../hosting/payloads/history.ts';
import type { RrdMetric } from '../../hosting/payloads/known-values.ts';
import type { Period } from '../../time/periods.ts';

export interface Sample {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly value: number;
}

/** Sorted samples without overlap. Values in gaps are unknown. */
export type TimeSeries = readonly Sample[];

/** Maximum distance between points without a gap, in steps. */
const maxGapSteps = 1.5;
/** Maximum value. Larger ones are capped. */
const maxValue = 1e15;
/** The year 9999. */
const maxTimeMs = 253_402_300_799_000;

/**
 * Builds a metric's time series up to `untilMs` from histories of any range, preferring finer ones. Ignores invalid,
 * duplicate and future points.
 */
export function buildTimeSeries(
  histories: readonly RrdHistory[],
  measure: RrdMetric,
  untilMs: number,
): TimeSeries {
  const candidates = histories.flatMap(({ series }) => {
    const one = series.find((each) => each.metric === measure);
    if (!one) return [];
    return [toSamples(sanitizePoints(one.points), untilMs)];
  });
  const finestFirst = candidates
    .filter(({ length }) => length > 0)
    .sort((a, b) => typicalStepMs(a) - typicalStepMs(b));
  let known: TimeSeries = [];
  for (const coarser of finestFirst) {
    const firstMs = known[0]?.fromMs ?? Number.POSITIVE_INFINITY;
    known = sliceSeries(coarser, { fromMs: 0, untilMs: firstMs }).concat(known);
  }
  return known;
}

/** Adds two series sampled at the same times. Drops samples that only one has, unless a series is empty. */
export function sumSeries(one: TimeSeries, other: TimeSeries): TimeSeries {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const byStart = new Map(other.map((span) => [span.fromMs, span]));
  return one.flatMap((span) => {
    const twin = byStart.get(span.fromMs);
    return twin ? [{ ...span, value: span.value + twin.value }] : [];
  });
}

export function sliceSeries(series: TimeSeries, { fromMs, untilMs }: Period): TimeSeries {
  return series
    .filter((span) => span.fromMs < untilMs && (span.untilMs > fromMs || span.fromMs >= fromMs))
    .map((span) => ({
      value: span.value,
      fromMs: Math.max(span.fromMs, fromMs),
      untilMs: Math.min(span.untilMs, untilMs),
    }));
}

export function coveredMs(series: TimeSeries): number {
  return series.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);
}

/** Returns the mean weighted by duration, or undefined for an empty series. */
export function meanValue(series: TimeSeries): number | undefined {
  if (series.length === 0) return undefined;
  const allMs = coveredMs(series);
  // Zero-length samples, such as a single reading, all get the same weight.
  const weightOf = ({ fromMs, untilMs }: Sample) =>
    allMs > 0 ? (untilMs - fromMs) / allMs : 1 / series.length;
  return series.reduce((sum, span) => sum + span.value * weightOf(span), 0);
}

/** Returns the first sample with the highest value, or undefined for an empty series. */
export function peakSample(series: TimeSeries): Sample | undefined {
  return series.reduce<Sample | undefined>(
    (high, span) => (high === undefined || span.value > high.value ? span : high),
    undefined,
  );
}

/** Returns the median, or undefined if there are no values. Of two middle values, returns the upper one. */
export function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Returns means over equal parts of a period. A mean is `null` if unknown. */
export function bucketMeans(
  series: TimeSeries,
  { fromMs, untilMs }: Period,
  count: number,
): readonly (number | null)[] {
  const partMs = (untilMs - fromMs) / count;
  return Array.from({ length: count }, (_, index) => {
    const startMs = fromMs + index * partMs;
    return meanValue(sliceSeries(series, { fromMs: startMs, untilMs: startMs + partMs })) ?? null;
  });
}

function sanitizePoints(points: readonly SeriesPoint[]): readonly SeriesPoint[] {
  const byTime = new Map<number, number | null>();
  for (const { timeMs, value } of points) {
    const read = value !== null && Number.isFinite(value) && value >= 0 ? Math.min(value, maxValue) : null;
    // Whole milliseconds add up exactly. Fractions would leave tiny gaps between samples.
    const atMs = Math.round(timeMs);
    if (atMs >= 0 && atMs <= maxTimeMs && (read !== null || !byTime.has(atMs))) byTime.set(atMs, read);
  }
  return [...byTime].map(([timeMs, value]) => ({ timeMs, value })).sort((a, b) => a.timeMs - b.timeMs);
}

function toSamples(points: readonly SeriesPoint[], untilMs: number): TimeSeries {
  const distances = points.slice(1).map(({ timeMs }, index) => timeMs - (points[index]?.timeMs ?? timeMs));
  const stepMs = median(distances) ?? 0;
  return points.flatMap(({ timeMs, value }, index): Sample[] => {
    if (value === null || timeMs > untilMs) return [];
    const distance = distances[index] ?? stepMs;
    const lengthMs = distance <= maxGapSteps * stepMs ? distance : stepMs;
    return [{ fromMs: timeMs, untilMs: Math.min(timeMs + lengthMs, untilMs), value }];
  });
}

export function typicalStepMs(series: TimeSeries): number {
  return median(series.map(({ fromMs, untilMs }) => untilMs - fromMs)) ?? 0;
}
