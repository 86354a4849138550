import type { Database } from '../../db/engines/database.ts';
import type { Actor } from '../../operations/define/access/actor.ts';

/** Maximum number of VPS that a person can star. Longer lists would no longer be favorites. */
export const maxStars = 100;

export type StarStore = ReturnType<typeof createStarStore>;

export function createStarStore(db: Database) {
  const ofActor = ({ teamId, userId }: Actor) =>
    db.selectFrom('vps_star').select('vps').where('team_id', '=', teamId).where('user_id', '=', userId);

  return {
    /** Returns the VPS that a person has starred. */
    async list(actor: Actor): Promise<ReadonlySet<string>> {
      const rows = await ofActor(actor).orderBy('vps').execute();
      return new Set(rows.map(({ vps }) => vps));
    },

    async add({ teamId, userId }: Actor, vps: string, nowMs: number): Promise<void> {
      await db
        .insertInto('vps_star')
        .values({ team_id: teamId, user_id: userId, vps, starred_at: nowMs })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Returns false if the VPS wasn't starred. */
    async remove({ teamId, userId }: Actor, vps: string): Promise<boolean> {
      const removed = await db
        .deleteFrom('vps_star')
        .where('team_id', '=', teamId)
        .where('user_id', '=', userId)
        .where('vps', '=', vps)
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },
  };
}
