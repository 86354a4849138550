import { shortestIntervalMs } from '../../time/timetable.ts';
import { callsPerMinute, estimateReportMs, type Throughput } from '../shared/throughput.ts';
import { countCalls } from './delivery/collect-fleet.ts';
import { type ReportContent, reportContent, reportPeriodMs } from './planning/report-plan.ts';
import type { Report, ReportPlan } from './report.ts';

/** The share of the background lane for reports. Watches can use half of the lane, and a tenth is for retries. */
const reportShare = 0.4;

/** Maximum lead time: how long before its due time a report may start. */
export const maxLeadTimeMs = 6 * 60 * 60_000;

export interface OccurrenceCost {
  readonly dueMs: number;
  readonly calls: number;
}

export function countReportCalls(
  { timing }: Pick<ReportPlan, 'timing'>,
  counts: Pick<ReportContent, 'vpsCount' | 'listCalls'>,
): number {
  return countCalls({ fromMs: 0, untilMs: reportPeriodMs(timing) }, counts);
}

/**
 * Returns why a report doesn't fit in the reports' share of the background lane, or undefined if it fits.
 * The text has no final period.
 */
export function findCapacityProblem(
  plan: Pick<ReportPlan, 'timing'> & { readonly content: ReportContent },
  planned: readonly Report[],
  throughput: Throughput,
): string | undefined {
  const limit = callsPerMinute(throughput) * reportShare;
  const own = averageCalls(plan);
  const others = planned
    .filter(({ state }) => state.kind === 'active')
    .reduce((sum, report) => sum + averageCalls(report), 0);
  if (own + others <= limit) return undefined;
  const beside = others > 0 ? `, on top of ${formatCallRate(others)} for the other reports` : '';
  return `This report needs ${countReportCalls(plan, plan.content)} API calls for ${plan.content.vpsCount} VPS, ${formatCallRate(own)} a minute on average${beside}; the limit is ${formatCallRate(limit)} a minute. Select fewer VPS, or run the report less often`;
}

/** Returns the average calls per minute of one report, or 0 if it runs only once. */
function averageCalls({ timing, content }: Pick<ReportPlan, 'timing' | 'content'>): number {
  const everyMs = shortestIntervalMs(timing);
  const counts = reportContent.safeParse(content).data ?? { vpsCount: 0, listCalls: 1 };
  return everyMs === undefined ? 0 : (countReportCalls({ timing }, counts) * 60_000) / everyMs;
}

function formatCallRate(perMinute: number): string {
  return perMinute < 1 ? 'less than 1' : String(Math.floor(perMinute));
}

/**
 * Returns how many ms before its due time a report must start. Reports whose data is collected at the same
 * time share the throughput.
 */
export function leadTimeMs(
  own: OccurrenceCost,
  others: readonly OccurrenceCost[],
  throughput: Throughput,
): number {
  const counted = [own];
  for (;;) {
    const calls = counted.reduce((sum, coming) => sum + coming.calls, 0);
    const lengthMs = estimateReportMs(calls, throughput);
    const next = others.find(
      (other) =>
        !counted.includes(other) &&
        other.dueMs > own.dueMs - lengthMs &&
        other.dueMs - estimateReportMs(other.calls, throughput) < own.dueMs,
    );
    if (!next) return lengthMs;
    counted.push(next);
  }
}
