import type { Asker } from '../../operations/runs/run.ts';
import type { Database } from '../../storage/database.ts';

/** A VPS that nothing is to be said about for a while: what stands out about it stays out of first lines and watches. */
export interface Mute {
  readonly vps: string;
  readonly untilMs: number;
  readonly byUserId: string;
}

export type MuteStore = ReturnType<typeof createMuteStore>;

/** Creates the store of muted VPS. */
export function createMuteStore(db: Database) {
  const store = {
    /** Gives what is muted in a workspace now, by the names of the VPS. */
    async list(teamId: string, nowMs: number): Promise<readonly Mute[]> {
      const rows = await db
        .selectFrom('mute')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('until_at', '>', nowMs)
        .orderBy('vps')
        .execute();
      return rows.map(({ vps, until_at: untilMs, muted_by: byUserId }) => ({ vps, untilMs, byUserId }));
    },

    /** Gives until when VPS are muted at a moment, by their names. */
    async untilOf(teamId: string, nowMs: number): Promise<ReadonlyMap<string, number>> {
      return new Map((await store.list(teamId, nowMs)).map(({ vps, untilMs }) => [vps, untilMs]));
    },

    /** Mutes a VPS until a moment, whatever held for it before. */
    async mute({ teamId, userId }: Asker, vps: string, untilMs: number): Promise<void> {
      const values = { until_at: untilMs, muted_by: userId };
      await db
        .insertInto('mute')
        .values({ team_id: teamId, vps, ...values })
        .onConflict((conflict) => conflict.columns(['team_id', 'vps']).doUpdateSet(values))
        .execute();
    },

    /** Answers whether it was muted. */
    async unmute(teamId: string, vps: string, nowMs: number): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('mute')
        .where('team_id', '=', teamId)
        .where('vps', '=', vps)
        .where('until_at', '>', nowMs)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** Deletes everything of a workspace. */
    async forgetAllOf(teamId: string): Promise<void> {
      await db.deleteFrom('mute').where('team_id', '=', teamId).execute();
    },
  };
  return store;
}
