import { formatPercent } from '../../../charts/format/format-quantity.ts';
import { dayMs } from '../../../time/units.ts';
import { formatElapsed, type MomentFormatter } from '../../shared/text-format.ts';
import { meanValue, median, sliceSeries, type TimeSeries } from '../../shared/time-series.ts';
import { type Finding, type SeverityRange, toSeverity } from './finding.ts';
import type { SummarySettings } from './thresholds.ts';

const fullSeverities: SeverityRange = [0.5, 0.95];
const trendSeverities: SeverityRange = [0.4, 0.9];

/** The minimum number of readings for a trend, and the minimum time they must span. */
const minReadings = 8;
const minObservedMs = dayMs / 2;
/** How far ahead a trend is extrapolated at most, as a multiple of the observed time. */
const maxExtrapolation = 7;
/**
 * The minimum growth for a trend, in percentage points, and the minimum share of reading pairs in which
 * usage must grow.
 */
const minGrowthPoints = 1;
const minGrowingShare = 0.75;
/** A drop of more than this many percentage points counts as a cleanup. Readings before the cleanup are ignored. */
const cleanupPoints = 5;
/** Maximum readings in a trend. Every pair is compared, and more pairs wouldn't improve the result. */
const maxReadings = 48;

export interface DiskLevel {
  readonly percent: number;
  readonly atMs: number;
}

export function findFullDisk(
  { percent, atMs }: DiskLevel,
  { diskPercent }: Pick<SummarySettings, 'diskPercent'>,
  { untilMs, moments }: { readonly untilMs: number; readonly moments: MomentFormatter },
): Finding | undefined {
  if (diskPercent === 0 || percent < diskPercent) return undefined;
  const isOld = untilMs - atMs > dayMs / 4;
  const figure = formatPercent(percent);
  const time = moments.at(atMs);
  const share = Math.min(1, (percent - diskPercent) / (100 - diskPercent));
  return {
    kind: 'disk',
    summary: `disk ${figure}${isOld ? ` at ${time}` : ''}`,
    detail: isOld
      ? `The disk was ${figure} full at ${time}, when it was last read.`
      : `The disk is ${figure} full.`,
    severity: fullSeverities[0] + (fullSeverities[1] - fullSeverities[0]) * share,
  };
}

/** Returns a finding if the disk, at its current growth rate, will be full within `diskFullDays`. */
export function findFillingDisk(
  series: TimeSeries,
  { percent }: DiskLevel,
  { diskFullDays }: Pick<SummarySettings, 'diskFullDays'>,
): Finding | undefined {
  if (percent >= 100) return undefined;
  const since = sinceCleanup(series);
  const watchedMs = (since.at(-1)?.untilMs ?? 0) - (since[0]?.fromMs ?? 0);
  if (since.length < minReadings || watchedMs < minObservedMs) return undefined;
  const growth = growthTrend(downsample(since));
  const grown = (growth.pointsPerDay * watchedMs) / dayMs;
  if (grown < minGrowthPoints || growth.growingShare < minGrowingShare) return undefined;
  const leftDays = (100 - percent) / growth.pointsPerDay;
  if (leftDays > diskFullDays || leftDays * dayMs > maxExtrapolation * watchedMs) return undefined;
  const when = leftDays < 1 ? 'within a day' : `in about ${formatDays(leftDays)}`;
  return {
    kind: 'diskTrend',
    summary: `disk ${formatPercent(percent)}, full ${when}`,
    detail: `The disk grew by about ${formatPercent(grown)} of its size in ${formatElapsed(watchedMs)}, to ${formatPercent(percent)}. At this rate it will be full ${when}.`,
    severity: toSeverity(trendSeverities, Math.max(0, diskFullDays - leftDays), 3),
  };
}

function formatDays(days: number): string {
  const whole = Math.floor(days);
  return `${whole} ${whole === 1 ? 'day' : 'days'}`;
}

function sinceCleanup(series: TimeSeries): TimeSeries {
  const fall = series.findLastIndex((span, index) => {
    const before = series[index - 1]?.value ?? span.value;
    return before - span.value > cleanupPoints;
  });
  return series.slice(Math.max(0, fall));
}

/** Reduces a series to at most `maxReadings` means over equal intervals. */
function downsample(series: TimeSeries): TimeSeries {
  const [firstMs, lastMs] = [series[0]?.fromMs ?? 0, series.at(-1)?.untilMs ?? 0];
  if (series.length <= maxReadings) return series;
  const partMs = (lastMs - firstMs) / maxReadings;
  return Array.from({ length: maxReadings }, (_, index) => {
    const fromMs = firstMs + index * partMs;
    const untilMs = fromMs + partMs;
    return { fromMs, untilMs, value: meanValue(sliceSeries(series, { fromMs, untilMs })) };
  }).flatMap(({ value, ...part }) => (value === undefined ? [] : [{ ...part, value }]));
}

/** Returns the median slope over all pairs of readings (Theil–Sen), which is robust against single peaks and dips. */
function growthTrend(series: TimeSeries): { readonly pointsPerDay: number; readonly growingShare: number } {
  const slopes = series.flatMap((later, index) =>
    series
      .slice(0, index)
      .map((earlier) => ((later.value - earlier.value) / (later.fromMs - earlier.fromMs)) * dayMs),
  );
  const growing = slopes.filter((slope) => slope > 0).length;
  return { pointsPerDay: median(slopes) ?? 0, growingShare: growing / Math.max(1, slopes.length) };
}
