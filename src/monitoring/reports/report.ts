import { z } from 'zod';
import type { Database } from '../../db/engines/database.ts';
import type { PlanKind, PlanOf } from '../../plans/plan.ts';
import { createPlanStore, type PlanStoreOptions } from '../../plans/plan-store.ts';
import { type When, when as whenSchema } from '../../time/when.ts';

/**
 * Replaces stored times that this version can't read, such as those from a later version. Calculating
 * their occurrences throws.
 */
const unreadableWhen: When = {
  kind: 'cron',
  expression: 'not understood',
  zone: 'UTC',
};

const spec = z.object({
  channel: z.string(),
  /** Unreadable times are replaced, so the report is paused and can be edited. */
  timing: whenSchema.catch(unreadableWhen),
  /** Validated against `reportContent` when read. */
  content: z.unknown(),
});

const progress = z.object({
  /** When the last finished occurrence was due. */
  lastFinishedDueMs: z.number().nullable().default(null),
  /**
   * The due time of the first occurrence missed since `lastFinishedDueMs`. Occurrences are missed while
   * Rackhand is down or fails.
   */
  skippedSinceMs: z.number().nullable().default(null),
});

type Spec = Readonly<z.infer<typeof spec>>;
export type ReportProgress = Readonly<z.infer<typeof progress>>;

/** The user-defined part of a report. */
export type ReportPlan = Spec & { readonly name: string };

export type Report = PlanOf<Spec, ReportProgress, never>;

export const reportKind: PlanKind<Spec, ReportProgress, never> = {
  name: 'report',
  noun: 'report',
  spec,
  progress,
  resumed: { skippedSinceMs: null },
  occurrence: z.never(),
  when: ({ timing }) => timing,
};

export type ReportStore = ReturnType<typeof createReportStore>;

/** Creates the store of reports. If a person changes a report during an attempt, that attempt can't finish anymore. */
export const createReportStore = (db: Database, options?: PlanStoreOptions<Report>) =>
  createPlanStore(db, reportKind, options);
