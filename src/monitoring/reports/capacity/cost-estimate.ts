import { createTtlCache } from '../../../ttl-cache.ts';
import type { HourlyHistoryStore } from '../../shared/history/hourly-history-store.ts';
import { countCalls } from '../delivery/collect-fleet.ts';
import { reportContent, reportPeriodMs } from '../planning/report-content.ts';
import type { Report } from '../report.ts';
import type { BaselineStore } from '../summary/baseline-store.ts';
import type { OccurrenceCost } from './lead-time.ts';

/** Returns how many calls an occurrence of a report needs. */
export type EstimateCost = (report: Report, dueMs: number) => Promise<OccurrenceCost>;

interface CostEstimateDependencies {
  readonly baselines: Pick<BaselineStore, 'find'>;
  readonly hours: Pick<HourlyHistoryStore, 'findCovered'>;
  readonly now: () => number;
}

/**
 * Estimates are cached for a minute, because each lead time depends on the estimates of all
 * reports.
 */
const cacheTtlMs = 60_000;

/** Creates a function that estimates from the stored histories how many calls an occurrence needs. */
export function createCostEstimate({ baselines, hours, now }: CostEstimateDependencies): EstimateCost {
  async function computeCost(report: Report, dueMs: number): Promise<OccurrenceCost> {
    const last = await baselines.find(report.id);
    const { vps, vpsCount, listCalls } = reportContent.parse(report.content);
    const names = Object.keys(last?.vps ?? {});
    const period = { fromMs: dueMs - reportPeriodMs(report.timing), untilMs: dueMs };
    const isKept = await hours.findCovered(report.teamId, period);
    return {
      dueMs,
      calls: countCalls(period, {
        vpsCount: last ? names.length : vpsCount,
        storedCount: names.filter(isKept).length,
        listCalls,
      }),
      readsKey: `${reportPeriodMs(report.timing)} ${vps}`,
    };
  }

  const estimate = createTtlCache({
    read: ({ report, dueMs }: { readonly report: Report; readonly dueMs: number }) =>
      computeCost(report, dueMs),
    toKey: ({ report, dueMs }) => `${report.id} ${report.version} ${dueMs}`,
    ttlMs: cacheTtlMs,
    now,
  });
  return (report, dueMs) => estimate({ report, dueMs });
}
