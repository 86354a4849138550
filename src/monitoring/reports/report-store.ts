import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { deletedState } from '../../db/deleted-state.ts';
import type { Database } from '../../db/engines/database.ts';
import { createNameList } from '../../db/name-list.ts';
import { createRowReader } from '../../db/row-reader.ts';
import type { ReportTable } from '../../db/schema/monitoring-tables.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import type { PauseReason } from '../../plans/pause-reason.ts';
import { nextTimeAfter } from '../../time/timetable.ts';
import { pausedColumns, unpausedColumns } from '../shared/pauses/pause-columns.ts';
import { type Report, type ReportPlan, toReport } from './report.ts';

/** Why a report is paused, and by whom. `byUserId` is `null` if Rackhand paused it. */
interface Pause {
  readonly reason: PauseReason;
  readonly byUserId: string | null;
}

type Row = Selectable<ReportTable>;

export type ReportStore = ReturnType<typeof createReportStore>;

/**
 * Called in the transaction that adds a report or changes its due time. Schedules the report's job
 * again, so that a running attempt ends.
 */
export type OnReportChanged = (
  report: { readonly id: string; readonly teamId: string },
  transaction: Database,
) => Promise<void>;

/** Every change of state is a compare-and-set that returns whether the change was made. */
export function createReportStore(
  db: Database,
  onChanged: OnReportChanged = async () => {},
  rowReader = createRowReader(),
) {
  const { read, readAll } = rowReader.forTable({
    table: 'report',
    noun: 'report',
    toValue: toReport,
    toId: ({ id }) => id,
  });
  const living = () => db.selectFrom('report').selectAll().where('state', '!=', deletedState);

  /**
   * Runs a change of one report and `onChanged` in the same transaction. `change` returns the
   * report's row.
   */
  async function changing(
    change: (transaction: Database) => Promise<Row | undefined>,
    transaction?: Database,
  ): Promise<Row | undefined> {
    if (!transaction) return db.transaction().execute((own) => changing(change, own));
    const row = await change(transaction);
    if (row) await onChanged({ id: row.id, teamId: row.team_id }, transaction);
    return row;
  }

  async function setState(
    id: string,
    from: readonly ReportTable['state'][],
    values: Partial<ReportTable>,
    transaction?: Database,
  ) {
    const row = await changing(
      (executor) =>
        executor
          .updateTable('report')
          .set(values)
          .where('id', '=', id)
          .where('state', 'in', [...from])
          .returningAll()
          .executeTakeFirst(),
      transaction,
    );
    return row !== undefined;
  }

  return {
    /** Adds a report, which is active. Returns undefined if the name is taken. */
    async add({ teamId, userId }: Actor, plan: ReportPlan, nowMs: number): Promise<Report | undefined> {
      const row = await changing((transaction) =>
        transaction
          .insertInto('report')
          .values({
            id: randomUUID(),
            team_id: teamId,
            created_by: userId,
            created_at: nowMs,
            state: 'active',
            revision: 0,
            ...columnsOf(plan),
            next_at: nextTimeAfter(plan.timing, nowMs) ?? null,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst(),
      );
      return row && read(row);
    },

    /** Returns the reports of a workspace, sorted by name. Deleted reports are left out. */
    async list(teamId: string): Promise<readonly Report[]> {
      const rows = await living().where('team_id', '=', teamId).orderBy('name').execute();
      return readAll(rows);
    },

    listNames: createNameList(db, 'report'),

    async find(teamId: string, name: string): Promise<Report | undefined> {
      const row = await living().where('team_id', '=', teamId).where('name', '=', name).executeTakeFirst();
      return row && read(row);
    },

    /** Returns a report by ID, even if it was deleted. */
    async get(id: string, executor: Database = db): Promise<Report | undefined> {
      const row = await executor.selectFrom('report').selectAll().where('id', '=', id).executeTakeFirst();
      return row && read(row);
    },

    /**
     * Replaces the plan and restarts a running attempt. If the times don't change, a late
     * occurrence is still caught up. Returns false if the report
     * was deleted, if it was edited since it was read, or if the name is taken.
     */
    async edit({ id, teamId, revision }: Report, plan: ReportPlan, nowMs: number): Promise<boolean> {
      const columns = columnsOf(plan);
      const nextMs = nextTimeAfter(plan.timing, nowMs) ?? null;
      const row = await changing((transaction) =>
        transaction
          .updateTable('report')
          .set((row) => ({
            ...columns,
            revision: revision + 1,
            next_at: row
              .case()
              .when('state', '!=', 'active')
              .then(null)
              .when('timing', '=', columns.timing)
              .then(row.ref('next_at'))
              .else(row.cast<number | null>(row.val(nextMs), 'bigint'))
              .end(),
          }))
          .where('id', '=', id)
          .where('revision', '=', revision)
          .where('state', '!=', deletedState)
          .where((row) =>
            row.not(
              row.exists(
                row
                  .selectFrom('report as other')
                  .select('other.id')
                  .where('other.team_id', '=', teamId)
                  .where('other.name', '=', plan.name)
                  .where('other.id', '!=', id)
                  .where('other.state', '!=', deletedState),
              ),
            ),
          )
          .returningAll()
          .executeTakeFirst(),
      );
      return row !== undefined;
    },

    /** Pauses an active report. */
    async pause(
      id: string,
      { reason, byUserId }: Pause,
      nowMs: number,
      transaction?: Database,
    ): Promise<boolean> {
      const values = { ...pausedColumns(reason, byUserId, nowMs), next_at: null };
      return setState(id, ['active'], values, transaction);
    },

    /** Resumes a paused report in the name of a person, from its next time on. Occurrences missed during the pause are skipped. */
    async resume({ id, timing }: Report, createdBy: string, nowMs: number): Promise<boolean> {
      return setState(id, ['paused'], {
        ...unpausedColumns,
        state: 'active',
        created_by: createdBy,
        next_at: nextTimeAfter(timing, nowMs) ?? null,
        missed_since: null,
      });
    },

    /** Skips the next time. Returns false if it has changed, or was posted. */
    async skip(id: string, dueMs: number, nextMs: number | null): Promise<boolean> {
      const row = await changing((transaction) =>
        transaction
          .updateTable('report')
          .set((row) => ({ next_at: nextMs, revision: row('revision', '+', 1) }))
          .where('id', '=', id)
          .where('state', '=', 'active')
          .where('next_at', '=', dueMs)
          .returningAll()
          .executeTakeFirst(),
      );
      return row !== undefined;
    },

    async delete(id: string): Promise<boolean> {
      return setState(id, ['active', 'paused'], { state: 'deleted', next_at: null });
    },
  };
}

function columnsOf({ name, channel, timing, content }: ReportPlan) {
  return { name, channel, timing: JSON.stringify(timing), content: JSON.stringify(content) };
}
