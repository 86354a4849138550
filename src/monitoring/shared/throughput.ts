import type { QuotaUsage } from '../../hosting/quota/rate-limiter.ts';
import { minuteMs } from '../../time/units.ts';

/** How fast the quota allows calls in the background lane. */
export type Throughput = Pick<QuotaUsage, 'backgroundLimit' | 'holdMs'> &
  Partial<Pick<QuotaUsage, 'reportLimit'>>;

/** The share of a quota window lost to call durations and to people's calls, which have priority. */
const quotaMargin = 1 / 60;

/** Assumed time for drawing the chart and uploading it to Slack. */
const renderAndPostMs = 15_000;

/** Estimates how many ms one report's calls take. */
export function estimateCallsMs(callCount: number, throughput: Throughput): number {
  const { backgroundLimit, holdMs } = limitToOneReport(throughput);
  return Math.ceil(callCount / backgroundLimit) * holdMs * (1 + quotaMargin);
}

/** Estimates how many ms a report takes, including its chart. */
export function estimateReportMs(calls: number, throughput: Throughput): number {
  return estimateCallsMs(calls, throughput) + renderAndPostMs;
}

/** Returns the throughput of a single report, which can use only part of the background lane. */
export function limitToOneReport({ backgroundLimit, reportLimit, holdMs }: Throughput): Throughput {
  return { holdMs, backgroundLimit: Math.min(backgroundLimit, reportLimit ?? backgroundLimit) };
}

/** Returns how many calls per minute are sent while there is a queue. */
export function callsPerMinute({ backgroundLimit, holdMs }: Throughput): number {
  return (backgroundLimit * minuteMs) / (holdMs * (1 + quotaMargin));
}

/** Returns the throughput that other calls in the same lane, such as those of watches, leave for reports. */
export function remainingThroughput(throughput: Throughput, otherCallsPerMinute: number): Throughput {
  const { backgroundLimit, holdMs } = throughput;
  const left = Math.floor(backgroundLimit - (otherCallsPerMinute * holdMs) / minuteMs);
  return { ...throughput, backgroundLimit: Math.max(1, left) };
}
