import { randomUUID } from 'node:crypto';
import type { Database } from '../../db/engines/database.ts';
import type { WatchTable } from '../../db/schema/monitoring-tables.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import { pausedColumns, unpausedColumns } from '../shared/pauses/pause-columns.ts';
import { createPauseNoticeStore } from '../shared/pauses/pause-notice-store.ts';
import type { PauseReason } from '../shared/pauses/pause-reason.ts';
import { type AlertState, initialAlertState, toWatch, type Watch, type WatchPlan } from './watch.ts';

export type WatchStore = ReturnType<typeof createWatchStore>;

/**
 * Creates the store of watches. Every change is a compare-and-set on the revision. It returns the
 * new watch, or undefined if someone else changed it first.
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
    ...createPauseNoticeStore(db, 'watch'),

    /** Adds a watch. Returns undefined if the name is taken. */
    async add({ teamId, userId }: Actor, plan: WatchPlan, nowMs: number): Promise<Watch | undefined> {
      const row = await db
        .insertInto('watch')
        .values({
          id: randomUUID(),
          team_id: teamId,
          created_by: userId,
          created_at: nowMs,
          state: 'active',
          revision: 0,
          ...columnsOf(plan),
          ...alertStateColumns(initialAlertState),
          ...unpausedColumns,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      return row && toWatch(row);
    },

    /** Returns the watches of a workspace, sorted by name. Deleted watches are left out. */
    async list(teamId: string): Promise<readonly Watch[]> {
      return (await living(teamId).orderBy('name').execute()).map(toWatch);
    },

    /** Returns whether a workspace has a watch that isn't paused. */
    async hasActive(teamId: string): Promise<boolean> {
      const row = await living(teamId).where('state', '=', 'active').limit(1).executeTakeFirst();
      return row !== undefined;
    },

    async find(teamId: string, name: string): Promise<Watch | undefined> {
      const row = await living(teamId).where('name', '=', name).executeTakeFirst();
      return row && toWatch(row);
    },

    /** Replaces the plan. The watch starts over. Throws if the name is taken. */
    edit: (watch: Watch, plan: WatchPlan) =>
      change(watch, { ...columnsOf(plan), ...alertStateColumns(initialAlertState) }),

    /** Saves the alert state. */
    saveAlertState: (watch: Watch, alertState: AlertState) => change(watch, alertStateColumns(alertState)),

    /**
     * Pauses a watch and clears its alert state. If Rackhand pauses it, its creator will be
     * notified.
     */
    pause: (watch: Watch, reason: PauseReason, byUserId: string | null, nowMs: number) =>
      change(watch, {
        ...alertStateColumns(initialAlertState),
        ...pausedColumns(reason, byUserId, nowMs),
      }),

    resume: (watch: Watch) => change(watch, { ...unpausedColumns, state: 'active' }),

    async delete(watch: Watch): Promise<boolean> {
      return (
        (await change(watch, { ...alertStateColumns(initialAlertState), state: 'deleted' })) !== undefined
      );
    },
  };
}

function columnsOf({ name, channel, vps, condition }: WatchPlan) {
  return { name, channel, vps, condition: JSON.stringify(condition) };
}

function alertStateColumns({ vpsStates, incident, messageTs, postingMs }: AlertState) {
  return {
    vps_states: JSON.stringify(vpsStates),
    incident: incident === null ? null : JSON.stringify(incident),
    message_ts: messageTs,
    posting_at: postingMs,
  };
}
