import { z } from 'zod';
import type { PlanKind, PlanOf } from '../../plans/plan.ts';
import { type When, when as whenSchema } from '../../time/when.ts';

/**
 * Replaces stored times that this version can't read, such as one written by a later
 * version. Calculating its times throws.
 */
const unreadableWhen: When = {
  kind: 'cron',
  expression: 'not understood',
  zone: 'UTC',
};

const facts = z.object({
  channel: z.string(),
  /** Unreadable times are replaced, so that the report is paused, and can be edited. */
  timing: whenSchema.catch(unreadableWhen),
  /** The report's content and VPS, as plain data. Its schema is `reportContent`. */
  content: z.unknown(),
});

const progress = z.object({
  /** When the last finished occurrence was due. */
  lastFinishedDueMs: z.number().nullable().default(null),
  /**
   * The due time of the first occurrence after `lastFinishedDueMs` that was missed because Rackhand
   * was down or failed.
   */
  skippedSinceMs: z.number().nullable().default(null),
});

type Facts = Readonly<z.infer<typeof facts>>;
type Progress = Readonly<z.infer<typeof progress>>;

/** The part of a report that a person decides. */
export type ReportPlan = Facts & { readonly name: string };

export type Report = PlanOf<Facts, Progress, never>;

export const reportKind: PlanKind<Facts, Progress, never> = {
  name: 'report',
  noun: 'report',
  facts,
  progress,
  occurrence: z.never(),
  when: ({ timing }) => timing,
};

/** Returns the column with what Rackhand remembers about a report. */
export function progressColumn(report: Progress, changes: Partial<Progress>) {
  return { progress: JSON.stringify({ ...progress.parse(report), ...changes }) };
}

/** An occurrence that is due soon or running. */
export interface ScheduledOccurrence {
  readonly report: Report;
  readonly dueMs: number;
}
