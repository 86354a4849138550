import type { Database } from '../../../db/engines/database.ts';
import type { RowReader } from '../../../db/row-reader.ts';
import { wasUpdated } from '../../../db/was-updated.ts';
import { createPlanStore } from '../../../plans/plan-store.ts';
import { progressColumn, type Report, reportKind, type ScheduledOccurrence } from '../report.ts';

/** When the next occurrence is due; `null` if this was the last one. */
interface NextTime {
  readonly nextMs: number | null;
  readonly nowMs: number;
}

export type OccurrenceStore = ReturnType<typeof createOccurrenceStore>;

/**
 * Every change is a compare-and-set that returns whether the change was made. It is made only while
 * the report still waits for this occurrence and wasn't changed by a person.
 */
export function createOccurrenceStore(db: Database, rowReader?: RowReader) {
  const { get, listWithoutJob } = createPlanStore(db, reportKind, { rowReader });

  function end(
    { report, dueMs }: ScheduledOccurrence,
    { nextMs, nowMs }: NextTime,
    progress: Partial<Pick<Report, 'skippedSinceMs' | 'lastFinishedDueMs'>>,
    executor = db,
  ): Promise<boolean> {
    const ended = { state: 'ended', state_at: nowMs, version: report.version + 1 } as const;
    return wasUpdated(
      executor
        .updateTable('plan')
        .set({ ...progressColumn(report, progress), next_at: nextMs, ...(nextMs === null && ended) })
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

    /** Skips an occurrence. The next report will mention it, unless a person has skipped it. */
    skip(occurrence: ScheduledOccurrence, next: NextTime): Promise<boolean> {
      const { report, dueMs } = occurrence;
      const isMissed = report.skippedMs !== dueMs;
      return end(occurrence, next, isMissed ? { skippedSinceMs: report.skippedSinceMs ?? dueMs } : {});
    },

    /** Finishes an occurrence. The report then waits for the next one, or is done. */
    finish: (occurrence: ScheduledOccurrence, next: NextTime, executor?: Database): Promise<boolean> =>
      end(occurrence, next, { lastFinishedDueMs: occurrence.dueMs, skippedSinceMs: null }, executor),
  };
}
