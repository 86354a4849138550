import { formatPercent } from '../../charts/figures.ts';
import { type Course, highestOf, meanOf, type Period, type Span, stepOf } from './course.ts';
import { type Finding, type Severities, severityOf } from './finding.ts';
import { type Moments, writeLength } from './words.ts';

const severities: Severities = [0.4, 0.9];
const hourMs = 3_600_000;
/** So many hours a little over the threshold are half as bad as can be. */
const halfBadHours = 6;

export interface Threshold {
  /** 0 leaves it alone. */
  readonly percent: number;
  readonly minutes: number;
}

/** Finds the worst stretch of a period, which may have begun before it, in which every reading is at the threshold or above. */
export function findSustained(
  kind: 'cpu' | 'memory',
  course: Course,
  threshold: Threshold,
  { period, moments }: { readonly period: Period; readonly moments: Moments },
): Finding | undefined {
  if (threshold.percent === 0) return undefined;
  const stretches = stretchesOf(course, (span) => span.value >= threshold.percent).filter(
    (stretch) => endOf(stretch) > period.fromMs && lengthOf(stretch) >= threshold.minutes * 60_000,
  );
  const worst = highestOf(
    stretches.map((stretch) => ({
      fromMs: startOf(stretch),
      untilMs: endOf(stretch),
      value: badnessOf(stretch, threshold.percent),
    })),
  );
  const stretch = stretches.find((one) => startOf(one) === worst?.fromMs);
  if (!worst || !stretch) return undefined;

  const name = kind === 'cpu' ? 'CPU' : 'memory';
  const subject = kind === 'cpu' ? 'CPU' : 'Memory';
  const figure = formatPercent(meanOf(stretch) ?? 0);
  const isKnownBefore = course.some(({ untilMs }) => untilMs === worst.fromMs);
  const length = `${isKnownBefore ? '' : 'at least '}${writeLength(lengthOf(stretch))}`;
  const isFollowed = course.some(({ fromMs, untilMs }) => fromMs >= worst.untilMs && untilMs > fromMs);
  const isOver = isFollowed || period.untilMs - worst.untilMs > 2 * stepOf(course);
  const high = highestOf(stretch);
  const range = moments.range(worst.fromMs, worst.untilMs);
  const peak = high ? `, ${formatPercent(high.value)} at most` : '';
  return {
    kind,
    words: `${name} ${figure} for ${length}${isOver ? ` until ${moments.at(worst.untilMs)}` : ''}`,
    detail: `${subject} never read below ${formatPercent(threshold.percent)} ${range}: ${figure} on average${peak}.`,
    severity: severityOf(severities, worst.value, halfBadHours),
  };
}

/** Cuts a course into stretches of spans that meet a condition, without a hole in any. */
export function stretchesOf(course: Course, meets: (span: Span) => boolean): readonly Course[] {
  const stretches: Span[][] = [];
  let last: Span | undefined;
  for (const span of course) {
    if (meets(span)) {
      const open = last !== undefined && last.untilMs === span.fromMs ? stretches.at(-1) : undefined;
      if (open) open.push(span);
      else stretches.push([span]);
      last = span;
    } else last = undefined;
  }
  return stretches;
}

/** Hours, each counting the more the nearer it is to 100 %; beyond there is nothing worse. */
function badnessOf(stretch: Course, percent: number): number {
  return stretch.reduce((sum, { fromMs, untilMs, value }) => {
    const share = Math.min(1, (value - percent) / (100 - percent));
    return sum + ((untilMs - fromMs) / hourMs) * (1 + share);
  }, 0);
}

export function startOf(stretch: Course): number {
  return stretch[0]?.fromMs ?? 0;
}

export function endOf(stretch: Course): number {
  return stretch.at(-1)?.untilMs ?? 0;
}

function lengthOf(stretch: Course): number {
  return endOf(stretch) - startOf(stretch);
}
