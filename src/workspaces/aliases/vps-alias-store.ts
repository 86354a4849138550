import type { Database } from '../../db/engines/database.ts';
import { toLookAlikeKey } from '../../operations/choices/matching/comparable-name.ts';
import type { Actor } from '../../operations/define/access/actor.ts';

export interface VpsAlias {
  readonly vps: string;
  readonly alias: string;
  readonly byUserId: string;
  readonly setMs: number;
}

export type VpsAliasStore = ReturnType<typeof createVpsAliasStore>;

export function createVpsAliasStore(db: Database) {
  const store = {
    /** Returns a workspace's aliases, sorted by alias. */
    async list(teamId: string): Promise<readonly VpsAlias[]> {
      const rows = await db
        .selectFrom('vps_alias')
        .selectAll()
        .where('team_id', '=', teamId)
        .orderBy('alias_key')
        .execute();
      return rows.map(({ vps, alias, set_by: byUserId, set_at: setMs }) => ({ vps, alias, byUserId, setMs }));
    },

    async byVps(teamId: string): Promise<ReadonlyMap<string, string>> {
      return new Map((await store.list(teamId)).map(({ vps, alias }) => [vps, alias]));
    },

    /**
     * Sets the alias of a VPS in place of an earlier one. If another VPS already has this alias, or one
     * that looks the same, changes nothing and returns that VPS.
     */
    async set(
      { teamId, userId }: Actor,
      vps: string,
      alias: string,
      nowMs: number,
    ): Promise<string | undefined> {
      const values = { alias, alias_key: toLookAlikeKey(alias), set_by: userId, set_at: nowMs };
      const findOwner = async () => {
        const owner = await db
          .selectFrom('vps_alias')
          .select('vps')
          .where('team_id', '=', teamId)
          .where('alias_key', '=', values.alias_key)
          .executeTakeFirst();
        return owner?.vps === vps ? undefined : owner?.vps;
      };
      const owner = await findOwner();
      if (owner !== undefined) return owner;
      try {
        await db
          .insertInto('vps_alias')
          .values({ team_id: teamId, vps, ...values })
          .onConflict((conflict) => conflict.columns(['team_id', 'vps']).doUpdateSet(values))
          .execute();
      } catch (error) {
        // A concurrent request has just given the alias to another VPS.
        const other = await findOwner();
        if (other === undefined) throw error;
        return other;
      }
      return undefined;
    },

    /** Removes a VPS's alias and returns the alias. Returns undefined if the VPS had none. */
    async remove(teamId: string, vps: string): Promise<string | undefined> {
      const removed = await db
        .deleteFrom('vps_alias')
        .where('team_id', '=', teamId)
        .where('vps', '=', vps)
        .returning('alias')
        .executeTakeFirst();
      return removed?.alias;
    },
  };
  return store;
}
