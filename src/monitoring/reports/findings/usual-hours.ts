import type { Period } from '../../../time/periods.ts';
import { dayMs, hourMs } from '../../../time/units.ts';
import {
  coveredMs,
  meanValue,
  median,
  sliceSeries,
  type TimeSeries,
  typicalStepMs,
} from '../../shared/time-series.ts';
import { endMs, splitIntoStretches, startMs } from './sustained.ts';

/** Maximum sample length. Coarser samples can't be compared hour by hour. */
const maxStepMs = 6 * hourMs;
/** The minimum number of previous days to compare with, and the maximum. */
const minDays = 3;
const maxDays = 27;
/** The minimum share of an hour that must have data. */
const minKnownShare = 0.5;

/** The thresholds for a sudden change, which must reach both the difference and the factor. */
export interface ChangeThreshold {
  readonly difference: number;
  readonly times: number;
}

/** A stretch of the last day whose values differ from those at the same hours of previous days. */
export interface Change {
  readonly direction: 'up' | 'down';
  readonly fromMs: number;
  readonly untilMs: number;
  readonly mean: number;
  /** The usual mean at the same hours on previous days. */
  readonly usual: number;
  readonly days: number;
  /** The stretch's weighted hours. An hour counts more the further its values are beyond the threshold. */
  readonly amount: number;
  /** Whether values returned to normal after the stretch. */
  readonly hasEnded: boolean;
}

interface HourComparison {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly mean: number;
  readonly usual: number;
  readonly days: number;
  readonly above: number;
  readonly below: number;
}

/**
 * Compares the period's last day with the same hours of previous days. Returns the worst stretch above all their values
 * and the worst below. Load that recurs at the same hours, such as nightly backups, therefore isn't a finding.
 */
export function findChanges(series: TimeSeries, period: Period, sudden: ChangeThreshold): readonly Change[] {
  const recentMs = Math.max(period.fromMs, period.untilMs - dayMs);
  const before = sliceSeries(series, { fromMs: 0, untilMs: recentMs });
  const stepMs = typicalStepMs(before);
  if (before.length === 0 || stepMs > maxStepMs) return [];
  const windowMs = Math.max(hourMs, Math.ceil(stepMs / hourMs) * hourMs);
  const originMs = startMs(before);
  const recent = sliceSeries(series, { fromMs: recentMs, untilMs: period.untilMs });
  const hours: HourComparison[] = [];
  // Samples from previous days can be coarser. Windows are at least as long as those samples, so short
  // peaks are compared fairly.
  const firstMs = originMs + Math.floor((recentMs - originMs) / windowMs) * windowMs;
  for (let fromMs = firstMs; fromMs < period.untilMs; fromMs += windowMs) {
    const at = compareWithUsual(recent, before, { fromMs, untilMs: fromMs + windowMs });
    if (at) hours.push(at);
  }
  return (['up', 'down'] as const).flatMap((direction) => worstChange(hours, direction, sudden) ?? []);
}

function compareWithUsual(
  recent: TimeSeries,
  before: TimeSeries,
  window: Period,
): HourComparison | undefined {
  const windowMs = window.untilMs - window.fromMs;
  const now = sliceSeries(recent, window);
  const mean = meanValue(now);
  if (mean === undefined || coveredMs(now) < minKnownShare * windowMs) return undefined;
  const earlier: number[] = [];
  const firstMs = startMs(before);
  for (let day = 1; day <= maxDays && window.untilMs - day * dayMs > firstMs; day += 1) {
    const then = sliceSeries(before, {
      fromMs: window.fromMs - day * dayMs,
      untilMs: window.untilMs - day * dayMs,
    });
    const value = meanValue(then);
    if (value !== undefined && coveredMs(then) >= minKnownShare * windowMs) earlier.push(value);
  }
  const usual = median(earlier);
  if (usual === undefined || earlier.length < minDays) return undefined;
  return {
    fromMs: startMs(now),
    untilMs: endMs(now),
    mean,
    usual,
    days: earlier.length,
    above: Math.max(...earlier),
    below: Math.min(...earlier),
  };
}

function worstChange(
  hours: readonly HourComparison[],
  direction: Change['direction'],
  { difference, times }: ChangeThreshold,
): Change | undefined {
  const differenceOf = ({ mean, above, below }: HourComparison) =>
    direction === 'up' ? mean - above : below - mean;
  const isSudden = (at: HourComparison) => {
    const [high, low] = direction === 'up' ? [at.mean, at.above] : [at.below, at.mean];
    return high - low >= difference && high >= low * times;
  };
  const byStart = new Map(hours.map((at) => [at.fromMs, at]));
  const stretches = splitIntoStretches(
    hours.map((at) => ({ ...at, value: at.mean })),
    ({ fromMs }) => {
      const at = byStart.get(fromMs);
      return at !== undefined && isSudden(at);
    },
  );
  const changes = stretches.map((stretch): Change => {
    const all = stretch.flatMap(({ fromMs }) => byStart.get(fromMs) ?? []);
    const lengths = all.map(({ fromMs, untilMs }) => untilMs - fromMs);
    return {
      direction,
      fromMs: startMs(stretch),
      untilMs: endMs(stretch),
      mean: meanValue(stretch) ?? 0,
      usual: meanValue(all.map(({ fromMs, untilMs, usual }) => ({ fromMs, untilMs, value: usual }))) ?? 0,
      days: Math.min(...all.map(({ days }) => days)),
      amount: all.reduce(
        (sum, at, index) => sum + ((lengths[index] ?? 0) / hourMs) * (differenceOf(at) / difference),
        0,
      ),
      hasEnded: hours.some(({ fromMs }) => fromMs >= endMs(stretch)),
    };
  });
  return changes.toSorted((a, b) => b.amount - a.amount)[0];
}
