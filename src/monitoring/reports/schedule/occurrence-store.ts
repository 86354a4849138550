import type { Selectable } from 'kysely';
import type { Database } from '../../../db/engines/database.ts';
import { createRowReader } from '../../../db/row-reader.ts';
import type { ReportTable } from '../../../db/schema/monitoring-tables.ts';
import { wasUpdated } from '../../../db/was-updated.ts';
import { type ScheduledOccurrence, toReport } from '../report.ts';

export type OccurrenceStore = ReturnType<typeof createOccurrenceStore>;

/**
 * Every change is a compare-and-set that returns whether the change was made. It is made only while
 * the report still waits for this occurrence and wasn't edited.
 */
export function createOccurrenceStore(db: Database, jobKind: string, rowReader = createRowReader()) {
  const { read } = rowReader.forTable({
    table: 'report',
    noun: 'report',
    toValue: toScheduledOccurrence,
    toId: ({ id }) => id,
  });
  const change = ({ report, dueMs }: ScheduledOccurrence, executor = db) =>
    executor
      .updateTable('report')
      .where('id', '=', report.id)
      .where('state', '=', 'active')
      .where('revision', '=', report.revision)
      .where('next_at', '=', dueMs);

  return {
    /** Returns the next occurrence of an active report. */
    async find(reportId: string): Promise<ScheduledOccurrence | undefined> {
      const row = await db
        .selectFrom('report')
        .selectAll()
        .where('id', '=', reportId)
        .where('state', '=', 'active')
        .executeTakeFirst();
      return row && read(row);
    },

    /** Lists the reports that wait for an occurrence but have no job. */
    async listWithoutJob(): Promise<readonly { readonly id: string; readonly teamId: string }[]> {
      const rows = await db
        .selectFrom('report')
        .select(['id', 'team_id'])
        .where('state', '=', 'active')
        .where('next_at', 'is not', null)
        .where((row) =>
          row.not(
            row.exists(
              row
                .selectFrom('job')
                .select('job.id')
                .where('job.kind', '=', jobKind)
                .whereRef('job.id', '=', 'report.id'),
            ),
          ),
        )
        .execute();
      return rows.map(({ id, team_id }) => ({ id, teamId: team_id }));
    },

    /** Skips an occurrence. The next report will mention it. */
    async skip(occurrence: ScheduledOccurrence, nextMs: number | null): Promise<boolean> {
      return wasUpdated(
        change(occurrence).set((old) => ({
          next_at: nextMs,
          missed_since: old.fn.coalesce('missed_since', old.val(occurrence.dueMs)),
        })),
      );
    },

    /** Finishes an occurrence. The report then waits for the next occurrence, if there is one. */
    async finish(
      occurrence: ScheduledOccurrence,
      nextMs: number | null,
      executor?: Database,
    ): Promise<boolean> {
      return wasUpdated(
        change(occurrence, executor).set({
          last_due_at: occurrence.dueMs,
          next_at: nextMs,
          missed_since: null,
        }),
      );
    },
  };
}

/** Parses the pending occurrence of an active report. Returns undefined if there is none. */
function toScheduledOccurrence(row: Selectable<ReportTable>): ScheduledOccurrence | undefined {
  if (row.next_at === null) return undefined;
  return { report: toReport(row), dueMs: row.next_at };
}
