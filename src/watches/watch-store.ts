import { randomUUID } from 'node:crypto';
import type { Asker } from '../operations/runs/run.ts';
import { pausedColumns, unpaused } from '../reports/pause-columns.ts';
import type { PauseReason } from '../reports/schedule/report.ts';
import type { Database } from '../storage/database.ts';
import type { WatchTable } from '../storage/report-tables.ts';
import { atRest, type Standing, toWatch, type Watch, type WatchPlan } from './watch.ts';

export type WatchStore = ReturnType<typeof createWatchStore>;

/**
 * Creates the store of the watches that people have set. Every change is a compare-and-set on the revision that it goes by, and gives the watch as it is
 * then; `undefined` where somebody was faster.
 */
export function createWatchStore(db: Database) {
  const living = (teamId: string) =>
    db.selectFrom('watch').selectAll().where('team_id', '=', teamId).where('state', '!=', 'deleted');

  async function change(
    { id, revision }: Pick<Watch, 'id' | 'revision'>,
    values: Partial<WatchTable>,
  ): Promise<Watch | undefined> {
    const row = await db
      .updateTable('watch')
      .set({ ...values, revision: revision + 1 })
      .where('id', '=', id)
      .where('revision', '=', revision)
      .where('state', '!=', 'deleted')
      .returningAll()
      .executeTakeFirst();
    return row && toWatch(row);
  }

  return {
    /** Keeps a new watch; `undefined` where its name is taken. */
    async add({ teamId, userId }: Asker, plan: WatchPlan, nowMs: number): Promise<Watch | undefined> {
      const row = await db
        .insertInto('watch')
        .values({
          id: randomUUID(),
          team_id: teamId,
          made_by: userId,
          made_at: nowMs,
          state: 'active',
          revision: 0,
          ...columnsOf(plan),
          ...standingColumns(atRest),
          ...unpaused,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      return row && toWatch(row);
    },

    /** Gives the watches of a workspace by their names, without those that were deleted. */
    async list(teamId: string): Promise<readonly Watch[]> {
      return (await living(teamId).orderBy('name').execute()).map(toWatch);
    },

    /** Changes a watch that then starts anew, at rest. Throws where another has its name. */
    edit: (watch: Watch, plan: WatchPlan) =>
      change(watch, { ...columnsOf(plan), ...standingColumns(atRest) }),

    /** Keeps how far a watch has come. */
    keep: (watch: Watch, standing: Standing) => change(watch, standingColumns(standing)),

    /** Lets a watch rest, and forgets how far it has come. Where Rackhand does it, whoever made it has yet to be told. */
    pause: (watch: Watch, reason: PauseReason, byUserId: string | null, nowMs: number) =>
      change(watch, {
        ...standingColumns(atRest),
        ...pausedColumns(reason, byUserId, nowMs),
      }),

    resume: (watch: Watch) => change(watch, { ...unpaused, state: 'active' }),

    async remove(watch: Watch): Promise<boolean> {
      return (await change(watch, { ...standingColumns(atRest), state: 'deleted' })) !== undefined;
    },

    /** Takes up the watches that Rackhand paused, whoever made them does not know, and nobody has taken up since a moment. */
    async claimUntold(nowMs: number, sinceMs: number): Promise<readonly Watch[]> {
      const rows = await db
        .updateTable('watch')
        .set({ telling_at: nowMs })
        .where('state', '=', 'paused')
        .where('told_at', 'is', null)
        .where((row) => row.or([row('telling_at', 'is', null), row('telling_at', '<=', sinceMs)]))
        .returningAll()
        .execute();
      return rows.map(toWatch).sort((a, b) => (a.name < b.name ? -1 : 1));
    },

    async keepTold(ids: readonly string[], nowMs: number): Promise<void> {
      await db
        .updateTable('watch')
        .set({ told_at: nowMs })
        .where('id', 'in', ids)
        .where('state', '=', 'paused')
        .execute();
    },

    /** Deletes everything of a workspace. */
    async forgetAllOf(teamId: string): Promise<void> {
      await db.deleteFrom('watch').where('team_id', '=', teamId).execute();
      await db.deleteFrom('watch_round').where('team_id', '=', teamId).execute();
    },
  };
}

function columnsOf({ name, channel, vps, condition }: WatchPlan) {
  return { name, channel, vps, condition: JSON.stringify(condition) };
}

function standingColumns({ courses, incident, messageTs, postingMs }: Standing) {
  return {
    courses: JSON.stringify(courses),
    incident: incident === null ? null : JSON.stringify(incident),
    message_ts: messageTs,
    posting_at: postingMs,
  };
}
