import type { Database } from '../../../db/engines/database.ts';
import type { RowReader } from '../../../db/row-reader.ts';
import { wasUpdated } from '../../../db/was-updated.ts';
import { createPlanStore } from '../../../plans/plan-store.ts';
import { progressColumn, type Report, reportKind, type ScheduledOccurrence } from '../report.ts';

export type OccurrenceStore = ReturnType<typeof createOccurrenceStore>;

/**
 * Every change is a compare-and-set that returns whether the change was made. It is made only while
 * the report still waits for this occurrence and wasn't changed by a person.
 */
export function createOccurrenceStore(db: Database, rowReader?: RowReader) {
  const { get, listWithoutJob } = createPlanStore(db, reportKind, { rowReader });

  function end(
    { report, dueMs }: ScheduledOccurrence,
    nextMs: number | null,
    progress: Pick<Report, 'skippedSinceMs'> & Partial<Pick<Report, 'lastFinishedDueMs'>>,
    executor = db,
  ): Promise<boolean> {
    return wasUpdated(
      executor
        .updateTable('plan')
        .set({ ...progressColumn(report, progress), next_at: nextMs })
        .where('id', '=', report.id)
        .where('state', '=', 'active')
        .where('version', '=', report.version)
        .where('next_at', '=', dueMs),
    );
  }

  return {
    listWithoutJob,

    /** Returns the next occurrence of an active report. */
    async find(reportId: string): Promise<ScheduledOccurrence | undefined> {
      const report = await get(reportId);
      if (report?.state.kind !== 'active' || report.nextMs === null) return undefined;
      return { report, dueMs: report.nextMs };
    },

    /** Skips an occurrence. The next report will mention it. */
    skip: (occurrence: ScheduledOccurrence, nextMs: number | null): Promise<boolean> =>
      end(occurrence, nextMs, { skippedSinceMs: occurrence.report.skippedSinceMs ?? occurrence.dueMs }),

    /** Finishes an occurrence. The report then waits for the next occurrence, if there is one. */
    finish: (occurrence: ScheduledOccurrence, nextMs: number | null, executor?: Database): Promise<boolean> =>
      end(occurrence, nextMs, { lastFinishedDueMs: occurrence.dueMs, skippedSinceMs: null }, executor),
  };
}
