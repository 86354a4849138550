import type { Database } from '../../db/engines/database.ts';
import { createPlanStore, type PlanStoreOptions } from '../../plans/plan-store.ts';
import { progressColumn, type Report, reportKind } from './report.ts';

export type ReportStore = ReturnType<typeof createReportStore>;

/** A change by a person ends a running attempt. */
export function createReportStore(db: Database, options?: PlanStoreOptions<Report>) {
  const plans = createPlanStore(db, reportKind, options);

  return {
    ...plans,

    resume: (report: Report, createdBy: string, nowMs: number) =>
      plans.resume(report, createdBy, nowMs, progressColumn(report, { skippedSinceMs: null })),
  };
}
