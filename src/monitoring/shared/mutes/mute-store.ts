import type { Database } from '../../../db/engines/database.ts';
import type { Actor } from '../../../operations/define/access/actor.ts';

/** A muted VPS. Watches and the headlines of reports leave it out until the mute ends. */
export interface Mute {
  readonly vps: string;
  readonly untilMs: number;
  readonly byUserId: string;
}

export type MuteStore = ReturnType<typeof createMuteStore>;

export function createMuteStore(db: Database) {
  const store = {
    /** Returns the current mutes of a workspace, sorted by VPS name. */
    async list(teamId: string, nowMs: number): Promise<readonly Mute[]> {
      const rows = await db
        .selectFrom('mute')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('muted_until', '>', nowMs)
        .orderBy('vps')
        .execute();
      return rows.map(({ vps, muted_until: untilMs, muted_by: byUserId }) => ({ vps, untilMs, byUserId }));
    },

    /** Returns muted VPS by name, with the time (epoch ms) at which the mute ends. */
    async mutedUntil(teamId: string, nowMs: number): Promise<ReadonlyMap<string, number>> {
      return new Map((await store.list(teamId, nowMs)).map(({ vps, untilMs }) => [vps, untilMs]));
    },

    /** Mutes a VPS until `untilMs`. Replaces an earlier mute. */
    async mute({ teamId, userId }: Actor, vps: string, untilMs: number): Promise<void> {
      const values = { muted_until: untilMs, muted_by: userId };
      await db
        .insertInto('mute')
        .values({ team_id: teamId, vps, ...values })
        .onConflict((conflict) => conflict.columns(['team_id', 'vps']).doUpdateSet(values))
        .execute();
    },

    /** Ends a mute. Returns whether the VPS was muted. */
    async unmute(teamId: string, vps: string, nowMs: number): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('mute')
        .where('team_id', '=', teamId)
        .where('vps', '=', vps)
        .where('muted_until', '>', nowMs)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
  return store;
}
