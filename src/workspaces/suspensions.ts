import type { Database } from '../db/engines/database.ts';
import { RackhandError } from '../errors.ts';
import { createRefreshingCache } from '../refreshing-cache.ts';

export interface Suspension {
  /** ID of a workspace or organization. */
  readonly teamId: string;
  readonly reason: string;
  readonly suspendedMs: number;
}

/** The workspaces that the operator has suspended. Their data is kept, but they can't use Rackhand. */
export type Suspensions = ReturnType<typeof createSuspensions>;

/** How long (ms) the list is cached. It is needed for each delivery from Slack and each call. */
const cacheTtlMs = 5_000;

export function createSuspensions(db: Database, now: () => number = Date.now) {
  // The whole list is cached as one value, because only a few workspaces are suspended.
  const cache = createRefreshingCache({ read: readTeamIds, ttlMs: cacheTtlMs, now });
  const forget = () => cache.delete(() => true);

  async function list(): Promise<readonly Suspension[]> {
    const rows = await db.selectFrom('suspended_workspace').selectAll().orderBy('suspended_at').execute();
    return rows.map(({ team_id, reason, suspended_at }) => ({
      teamId: team_id,
      reason,
      suspendedMs: suspended_at,
    }));
  }

  async function readTeamIds(): Promise<ReadonlySet<string>> {
    return new Set((await list()).map(({ teamId }) => teamId));
  }

  async function isActive(...teamIds: readonly (string | undefined)[]): Promise<boolean> {
    const suspended = await cache.get('all');
    return !teamIds.some((teamId) => teamId !== undefined && suspended?.has(teamId));
  }

  return {
    list,

    /** Returns true if none of these workspaces and organizations is suspended. */
    isActive,

    /** Throws `suspended` if any of these workspaces and organizations is suspended. */
    async assertActive(...teamIds: readonly (string | undefined)[]): Promise<void> {
      if (await isActive(...teamIds)) return;
      throw new RackhandError('suspended', 'Rackhand is suspended in this workspace.');
    },

    async suspend(teamId: string, reason: string): Promise<void> {
      const values = { reason, suspended_at: now() };
      await db
        .insertInto('suspended_workspace')
        .values({ team_id: teamId, ...values })
        .onConflict((conflict) => conflict.column('team_id').doUpdateSet(values))
        .execute();
      forget();
    },

    /** Ends a suspension. Returns false if the workspace wasn't suspended. */
    async resume(teamId: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('suspended_workspace')
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      forget();
      return numDeletedRows === 1n;
    },
  };
}
