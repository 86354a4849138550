import { formatPercent } from '../../../charts/format/format-quantity.ts';
import type { Period } from '../../../time/periods.ts';
import { hourMs } from '../../../time/units.ts';
import { formatElapsed, type MomentFormatter } from '../../shared/text-format.ts';
import {
  meanValue,
  peakSample,
  type Sample,
  type TimeSeries,
  typicalStepMs,
} from '../../shared/time-series.ts';
import { type Finding, type SeverityRange, toSeverity } from './finding.ts';

const severities: SeverityRange = [0.4, 0.9];
/** After this many hours just above the threshold, the severity is halfway between its minimum and maximum. */
const halfSeverityHours = 6;

export interface Threshold {
  /** 0 disables the threshold. */
  readonly percent: number;
  readonly minutes: number;
}

/** Returns the worst stretch of readings at or above the threshold. It can begin before the period. */
export function findSustained(
  kind: 'cpu' | 'memory',
  series: TimeSeries,
  threshold: Threshold,
  { period, moments }: { readonly period: Period; readonly moments: MomentFormatter },
): Finding | undefined {
  if (threshold.percent === 0) return undefined;
  const stretches = splitIntoStretches(series, (span) => span.value >= threshold.percent).filter(
    (stretch) => endMs(stretch) > period.fromMs && durationMs(stretch) >= threshold.minutes * 60_000,
  );
  const worst = peakSample(
    stretches.map((stretch) => ({
      fromMs: startMs(stretch),
      untilMs: endMs(stretch),
      value: excessHours(stretch, threshold.percent),
    })),
  );
  const stretch = stretches.find((one) => startMs(one) === worst?.fromMs);
  if (!worst || !stretch) return undefined;

  const name = kind === 'cpu' ? 'CPU' : 'memory';
  const figure = formatPercent(meanValue(stretch) ?? 0);
  const isKnownBefore = series.some(({ untilMs }) => untilMs === worst.fromMs);
  const length = `${isKnownBefore ? '' : 'at least '}${formatElapsed(durationMs(stretch))}`;
  const isFollowed = series.some(({ fromMs, untilMs }) => fromMs >= worst.untilMs && untilMs > fromMs);
  const hasEnded = isFollowed || period.untilMs - worst.untilMs > 2 * typicalStepMs(series);
  const high = peakSample(stretch);
  const range = hasEnded ? moments.range(worst.fromMs, worst.untilMs) : `since ${moments.at(worst.fromMs)}`;
  const peak = high ? `, peak ${formatPercent(high.value)}` : '';
  return {
    kind,
    summary: `${name} ${figure} for ${length}${hasEnded ? ` until ${moments.at(worst.untilMs)}` : ''}`,
    detail: `${kind === 'cpu' ? name : 'Memory'} at ${formatPercent(threshold.percent)} or more ${range}: ${figure} on average${peak}.`,
    severity: toSeverity(severities, worst.value, halfSeverityHours),
  };
}

/** Splits a series into uninterrupted stretches of matching samples. */
export function splitIntoStretches(
  series: TimeSeries,
  meets: (span: Sample) => boolean,
): readonly TimeSeries[] {
  const stretches: Sample[][] = [];
  let last: Sample | undefined;
  for (const span of series) {
    if (meets(span)) {
      const open = last !== undefined && last.untilMs === span.fromMs ? stretches.at(-1) : undefined;
      if (open) open.push(span);
      else stretches.push([span]);
      last = span;
    } else last = undefined;
  }
  return stretches;
}

/** Returns a stretch's weighted hours. An hour counts more the closer its values are to 100%. */
function excessHours(stretch: TimeSeries, percent: number): number {
  return stretch.reduce((sum, { fromMs, untilMs, value }) => {
    const share = Math.min(1, (value - percent) / (100 - percent));
    return sum + ((untilMs - fromMs) / hourMs) * (1 + share);
  }, 0);
}

export function startMs(stretch: TimeSeries): number {
  return stretch[0]?.fromMs ?? 0;
}

export function endMs(stretch: TimeSeries): number {
  return stretch.at(-1)?.untilMs ?? 0;
}

function durationMs(stretch: TimeSeries): number {
  return endMs(stretch) - startMs(stretch);
}
