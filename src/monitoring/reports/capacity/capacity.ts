import { RackhandError } from '../../../errors.ts';
import { shortestIntervalMs } from '../../../time/timetable.ts';
import {
  callsPerMinute,
  estimateReportMs,
  limitToOneReport,
  type Throughput,
} from '../../shared/throughput.ts';
import { countCalls } from '../delivery/collect-fleet.ts';
import { type ReportContent, reportContent, reportPeriodMs } from '../planning/report-content.ts';
import type { Report, ReportPlan } from '../report.ts';
import { maxLeadTimeMs } from './lead-time.ts';

/** Returns the maximum number of calls that a report needs. */
export function maxCallsFor(
  { timing }: Pick<ReportPlan, 'timing'>,
  counts: Pick<ReportContent, 'vpsCount' | 'listCalls'>,
): number {
  return countCalls({ fromMs: 0, untilMs: reportPeriodMs(timing) }, counts);
}

/** Leaves one call in ten for retries. */
const usableShare = 0.9;

/**
 * Throws `input_invalid` with the figures if the background lane has no capacity for another
 * report.
 */
export function assertCapacity(
  plan: Pick<ReportPlan, 'timing'> & { readonly content: ReportContent },
  planned: readonly Report[],
  throughput: Throughput,
): void {
  const perMinute = callsPerMinute(throughput) * usableShare;
  const { vpsCount } = plan.content;
  const calls = maxCallsFor(plan, plan.content);
  const needs = `This report needs ${calls} API calls for ${vpsCount} VPS`;
  const lastsMs = estimateReportMs(calls, throughput);
  if (lastsMs > maxLeadTimeMs) {
    const hours = Math.ceil(lastsMs / 3_600_000);
    throw capacityError(
      `${needs}, which take ${hours} hours at ${formatCallRate(callsPerMinute(limitToOneReport(throughput)))} a minute; the limit is 6 hours`,
    );
  }
  const own = reportCallsPerMinute(plan);
  const others = scheduledCallsPerMinute(planned);
  if (own + others <= perMinute) return;
  const beside = others > 0 ? `, beside ${formatCallRate(others)} for the other reports` : '';
  throw capacityError(
    `${needs}, ${formatCallRate(own)} a minute on average${beside}; the limit is ${formatCallRate(perMinute)} a minute`,
  );
}

/** Returns how many calls a minute the scheduled reports make on average. */
export function scheduledCallsPerMinute(planned: readonly Report[]): number {
  return planned
    .filter(({ state }) => state.kind === 'active')
    .reduce((sum, report) => sum + reportCallsPerMinute(report), 0);
}

/** Returns how many calls a minute one report makes on average; 0 if it runs only once. */
function reportCallsPerMinute({ timing, content }: Pick<ReportPlan, 'timing' | 'content'>): number {
  const everyMs = shortestIntervalMs(timing);
  const counts = reportContent.safeParse(content).data ?? { vpsCount: 0, listCalls: 1 };
  return everyMs === undefined ? 0 : (maxCallsFor({ timing }, counts) * 60_000) / everyMs;
}

function formatCallRate(perMinute: number): string {
  return perMinute < 1 ? 'less than 1' : String(Math.floor(perMinute));
}

function capacityError(words: string): RackhandError {
  return new RackhandError('input_invalid', `${words}. Select fewer VPS, or run the report less often.`);
}
