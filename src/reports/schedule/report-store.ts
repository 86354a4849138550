import { randomUUID } from 'node:crypto';
import type { Asker } from '../../operations/runs/run.ts';
import type { Database } from '../../storage/database.ts';
import type { ReportTable } from '../../storage/report-tables.ts';
import { pausedColumns, unpaused } from '../pause-columns.ts';
import { type PauseReason, type Report, type ReportPlan, toReport } from './report.ts';
import { nextAfter } from './timetable.ts';

/** Why a report rests, and who wished it: nobody where Rackhand found a reason. */
interface Pause {
  readonly reason: PauseReason;
  readonly byUserId: string | null;
}

export type ReportStore = ReturnType<typeof createReportStore>;

/** What a report starts anew with: whoever works on a time of it has lost it. */
const fresh = { claim: null, lease_until: 0, attempts: 0, not_before: 0, posting_at: null } as const;

/** Creates the store of the reports that people have planned. Every change of state is a compare-and-set: it answers whether it was made. */
export function createReportStore(db: Database) {
  const living = () => db.selectFrom('report').selectAll().where('state', '!=', 'deleted');
  const change = (id: string, from: ReportTable['state'], values: Partial<ReportTable>) =>
    db.updateTable('report').set(values).where('id', '=', id).where('state', '=', from).executeTakeFirst();

  return {
    /** Keeps a new report, whose first time is the next; `undefined` where its name is taken. */
    async add({ teamId, userId }: Asker, plan: ReportPlan, nowMs: number): Promise<Report | undefined> {
      const row = await db
        .insertInto('report')
        .values({
          id: randomUUID(),
          team_id: teamId,
          made_by: userId,
          made_at: nowMs,
          state: 'active',
          revision: 0,
          ...columnsOf(plan),
          next_at: nextAfter(plan.recurrence, nowMs) ?? null,
          ...fresh,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      return row && toReport(row);
    },

    /** Gives the reports of a workspace by their names, without those that were deleted. */
    async list(teamId: string): Promise<readonly Report[]> {
      return (await living().where('team_id', '=', teamId).orderBy('name').execute()).map(toReport);
    },

    async find(teamId: string, name: string): Promise<Report | undefined> {
      const row = await living().where('team_id', '=', teamId).where('name', '=', name).executeTakeFirst();
      return row && toReport(row);
    },

    /** Gives a report by its id, a deleted one too. */
    async get(id: string): Promise<Report | undefined> {
      const row = await db.selectFrom('report').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toReport(row);
    },

    /**
     * Plans a report anew; one that is worked on begins again. Where its times stay as they are, one that is late stays late, unless it may have been
     * posted. `false` where it is gone, somebody else has planned it anew since it was read, or another has the name.
     */
    async edit({ id, teamId, revision }: Report, plan: ReportPlan, nowMs: number): Promise<boolean> {
      const columns = columnsOf(plan);
      const nextMs = nextAfter(plan.recurrence, nowMs) ?? null;
      const { numUpdatedRows } = await db
        .updateTable('report')
        .set((row) => ({
          ...columns,
          ...fresh,
          revision: revision + 1,
          next_at: row
            .case()
            .when('state', '!=', 'active')
            .then(null)
            .when(row.and([row('recurrence', '=', columns.recurrence), row('posting_at', 'is', null)]))
            .then(row.ref('next_at'))
            .else(row.cast<number | null>(row.val(nextMs), 'bigint'))
            .end(),
        }))
        .where('id', '=', id)
        .where('revision', '=', revision)
        .where('state', '!=', 'deleted')
        .where((row) =>
          row.not(
            row.exists(
              row
                .selectFrom('report as other')
                .select('other.id')
                .where('other.team_id', '=', teamId)
                .where('other.name', '=', plan.name)
                .where('other.id', '!=', id)
                .where('other.state', '!=', 'deleted'),
            ),
          ),
        )
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /** Lets an active report rest. Where Rackhand does it, whoever made it has yet to be told. */
    async pause(id: string, { reason, byUserId }: Pause, nowMs: number): Promise<boolean> {
      const { numUpdatedRows } = await change(id, 'active', {
        ...fresh,
        ...pausedColumns(reason, byUserId, nowMs),
        next_at: null,
      });
      return numUpdatedRows === 1n;
    },

    /** Lets a paused report go on with its next time; what passed meanwhile is not made up for. */
    async resume({ id, recurrence }: Report, nowMs: number): Promise<boolean> {
      const { numUpdatedRows } = await change(id, 'paused', {
        ...unpaused,
        state: 'active',
        next_at: nextAfter(recurrence, nowMs) ?? null,
        skipped_since: null,
      });
      return numUpdatedRows === 1n;
    },

    async remove(id: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('report')
        .set({ ...fresh, state: 'deleted', next_at: null })
        .where('id', '=', id)
        .where('state', '!=', 'deleted')
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /** Takes up telling that a time of an active report could not be made so far; `false` where that was told, or is. */
    async claimUnmade(id: string, dueMs: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('report')
        .set({ unmade_due: dueMs })
        .where('id', '=', id)
        .where('state', '=', 'active')
        .where((row) => row.or([row('unmade_due', 'is', null), row('unmade_due', '!=', dueMs)]))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /** Leaves that telling to the next attempt. */
    async releaseUnmade(id: string, dueMs: number): Promise<void> {
      await db
        .updateTable('report')
        .set({ unmade_due: null })
        .where('id', '=', id)
        .where('unmade_due', '=', dueMs)
        .execute();
    },

    /** Takes up the reports that Rackhand paused, whoever made them does not know, and nobody has taken up since a moment. */
    async claimUntold(nowMs: number, sinceMs: number): Promise<readonly Report[]> {
      const rows = await db
        .updateTable('report')
        .set({ telling_at: nowMs })
        .where('state', '=', 'paused')
        .where('told_at', 'is', null)
        .where((row) => row.or([row('telling_at', 'is', null), row('telling_at', '<=', sinceMs)]))
        .returningAll()
        .execute();
      return rows.map(toReport).sort(byName);
    },

    async keepTold(ids: readonly string[], nowMs: number): Promise<void> {
      await db
        .updateTable('report')
        .set({ told_at: nowMs })
        .where('id', 'in', ids)
        .where('state', '=', 'paused')
        .execute();
    },

    /** Deletes everything of a workspace. */
    async forgetAllOf(teamId: string): Promise<void> {
      await db.deleteFrom('report').where('team_id', '=', teamId).execute();
    },
  };
}

function byName(a: Report, b: Report): number {
  return a.name < b.name ? -1 : 1;
}

function columnsOf({ name, channel, recurrence, content }: ReportPlan) {
  return { name, channel, recurrence: JSON.stringify(recurrence), content: JSON.stringify(content) };
}
