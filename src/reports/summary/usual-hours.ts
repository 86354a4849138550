import { type Course, knownMs, meanOf, medianOf, type Period, stepOf, within } from './course.ts';
import { endOf, startOf, stretchesOf } from './sustained.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Coarser readings do not know of hours. */
const coarsestStepMs = 6 * hourMs;
/** What is usual takes at least so many of the days before, of which at most so many count. */
const fewestDays = 3;
const mostDays = 27;
/** Of a time, at least so much must be known. */
const knownShare = 0.5;

/** What counts as a sudden change: so much of a difference, and so many times as much. */
export interface Sudden {
  readonly difference: number;
  readonly times: number;
}

/** A stretch of the last day that is unlike the same hours of the days before. */
export interface Change {
  readonly direction: 'up' | 'down';
  readonly fromMs: number;
  readonly untilMs: number;
  readonly mean: number;
  /** The mean of what is usual in these hours. */
  readonly usual: number;
  readonly days: number;
  /** Hours, each counting as often as its difference holds that which counts. */
  readonly amount: number;
  /** Whether it was followed by hours that are as usual. */
  readonly isOver: boolean;
}

interface Hours {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly mean: number;
  readonly usual: number;
  readonly days: number;
  readonly above: number;
  readonly below: number;
}

/**
 * Finds where the last day of a period is above, or below, all that the same hours of the days before had: so a weekend, or a backup at
 * night, is nothing new. What is found is the worst stretch in each direction.
 */
export function findChanges(course: Course, period: Period, sudden: Sudden): readonly Change[] {
  const recentMs = Math.max(period.fromMs, period.untilMs - dayMs);
  const before = within(course, { fromMs: 0, untilMs: recentMs });
  const stepMs = stepOf(before);
  if (before.length === 0 || stepMs > coarsestStepMs) return [];
  const windowMs = Math.max(hourMs, Math.ceil(stepMs / hourMs) * hourMs);
  const originMs = startOf(before);
  const recent = within(course, { fromMs: recentMs, untilMs: period.untilMs });
  const hours: Hours[] = [];
  // Windows are those of the coarser readings before, which would otherwise blur what is sharp.
  const firstMs = originMs + Math.floor((recentMs - originMs) / windowMs) * windowMs;
  for (let fromMs = firstMs; fromMs < period.untilMs; fromMs += windowMs) {
    const at = compare(recent, before, { fromMs, untilMs: fromMs + windowMs });
    if (at) hours.push(at);
  }
  return (['up', 'down'] as const).flatMap((direction) => worstOf(hours, direction, sudden) ?? []);
}

function compare(recent: Course, before: Course, window: Period): Hours | undefined {
  const windowMs = window.untilMs - window.fromMs;
  const now = within(recent, window);
  const mean = meanOf(now);
  if (mean === undefined || knownMs(now) < knownShare * windowMs) return undefined;
  const earlier: number[] = [];
  const firstMs = startOf(before);
  for (let day = 1; day <= mostDays && window.untilMs - day * dayMs > firstMs; day += 1) {
    const then = within(before, {
      fromMs: window.fromMs - day * dayMs,
      untilMs: window.untilMs - day * dayMs,
    });
    const value = meanOf(then);
    if (value !== undefined && knownMs(then) >= knownShare * windowMs) earlier.push(value);
  }
  const usual = medianOf(earlier);
  if (usual === undefined || earlier.length < fewestDays) return undefined;
  return {
    fromMs: startOf(now),
    untilMs: endOf(now),
    mean,
    usual,
    days: earlier.length,
    above: Math.max(...earlier),
    below: Math.min(...earlier),
  };
}

function worstOf(
  hours: readonly Hours[],
  direction: Change['direction'],
  { difference, times }: Sudden,
): Change | undefined {
  const differenceOf = ({ mean, above, below }: Hours) => (direction === 'up' ? mean - above : below - mean);
  const isSudden = (at: Hours) => {
    const [high, low] = direction === 'up' ? [at.mean, at.above] : [at.below, at.mean];
    return high - low >= difference && high >= low * times;
  };
  const byStart = new Map(hours.map((at) => [at.fromMs, at]));
  const stretches = stretchesOf(
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
      fromMs: startOf(stretch),
      untilMs: endOf(stretch),
      mean: meanOf(stretch) ?? 0,
      usual: meanOf(all.map(({ fromMs, untilMs, usual }) => ({ fromMs, untilMs, value: usual }))) ?? 0,
      days: Math.min(...all.map(({ days }) => days)),
      amount: all.reduce(
        (sum, at, index) => sum + ((lengths[index] ?? 0) / hourMs) * (differenceOf(at) / difference),
        0,
      ),
      isOver: hours.some(({ fromMs }) => fromMs >= endOf(stretch)),
    };
  });
  return changes.toSorted((a, b) => b.amount - a.amount)[0];
}
