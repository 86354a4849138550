import { z } from 'zod';
import { includesRight, type Right, rights } from '../../operations/right.ts';
import type { Database } from '../../storage/database.ts';
import type { Held } from './decision.ts';

/** What was granted to whom, by whom; nobody for what came with the installation. */
export interface Grant extends Held {
  readonly grantee: string;
  readonly by: string | null;
  readonly atMs: number;
}

export interface ChannelLimit {
  readonly channel: string;
  readonly most: Right;
}

/** A right that is granted to one on one pattern. */
export type Granted = Pick<Grant, 'grantee' | 'right' | 'pattern'>;

/** A right that is granted to some, on each of some patterns; of both at least one. */
export interface Granting {
  readonly grantees: readonly string[];
  readonly right: Right;
  readonly patterns: readonly string[];
}

/** What is done to rights: by whom, and when. */
export interface Change {
  readonly teamId: string;
  readonly by: string | null;
  readonly nowMs: number;
}

export type RightsStore = ReturnType<typeof createRightsStore>;

const right = z.enum(rights);

/** Creates the store of the rights of workspaces. */
export function createRightsStore(db: Database) {
  return {
    async grants(teamId: string): Promise<readonly Grant[]> {
      const rows = await db
        .selectFrom('access_grant')
        .selectAll()
        .where('team_id', '=', teamId)
        .orderBy('granted_at')
        .orderBy('grantee')
        .orderBy('pattern')
        .execute();
      return rows.map(({ grantee, pattern, granted, granted_by: by, granted_at: atMs }) => ({
        grantee,
        pattern,
        right: right.parse(granted),
        by,
        atMs,
      }));
    },

    /** Grants a right to each on each pattern, all or nothing; one that was held on the same before becomes it, unless it is more. Answers whether anything became more. */
    async grant(
      { teamId, by, nowMs }: Change,
      { grantees, right: given, patterns }: Granting,
    ): Promise<boolean> {
      const values = { granted: given, granted_by: by, granted_at: nowMs };
      const less = rights.filter((other) => !includesRight(other, given));
      const rows = [...new Set(grantees)].flatMap((grantee) =>
        [...new Set(patterns)].map((pattern) => ({ team_id: teamId, grantee, pattern, ...values })),
      );
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('access_grant')
        .values(rows)
        .onConflict((conflict) => {
          const same = conflict.columns(['team_id', 'grantee', 'pattern']);
          return less.length === 0
            ? same.doNothing()
            : same.doUpdateSet(values).where('access_grant.granted', 'in', less);
        })
        .executeTakeFirst();
      return numInsertedOrUpdatedRows > 0n;
    },

    /** Takes back what was granted to somebody: on these patterns, or all of it. Gives what it was. */
    async revoke(teamId: string, grantee: string, patterns?: readonly string[]): Promise<readonly Held[]> {
      let rows = db.deleteFrom('access_grant').where('team_id', '=', teamId).where('grantee', '=', grantee);
      if (patterns) rows = rows.where('pattern', 'in', patterns);
      const gone = await rows.returning(['pattern', 'granted']).execute();
      return gone.map(({ pattern, granted }) => ({ pattern, right: right.parse(granted) }));
    },

    async limits(teamId: string): Promise<readonly ChannelLimit[]> {
      const rows = await db
        .selectFrom('channel_limit')
        .select(['channel', 'most'])
        .where('team_id', '=', teamId)
        .orderBy('channel')
        .execute();
      return rows.map(({ channel, most }) => ({ channel, most: right.parse(most) }));
    },

    async limitOf(teamId: string, channel: string): Promise<Right | undefined> {
      const row = await db
        .selectFrom('channel_limit')
        .select('most')
        .where('team_id', '=', teamId)
        .where('channel', '=', channel)
        .executeTakeFirst();
      return row && right.parse(row.most);
    },

    /** Limits a channel; whoever may administer in it may do everything there is. */
    async limit({ teamId, by, nowMs }: Change, { channel, most }: ChannelLimit): Promise<void> {
      if (most === 'administer') {
        await db
          .deleteFrom('channel_limit')
          .where('team_id', '=', teamId)
          .where('channel', '=', channel)
          .execute();
        return;
      }
      const values = { most, set_by: by, set_at: nowMs };
      await db
        .insertInto('channel_limit')
        .values({ team_id: teamId, channel, ...values })
        .onConflict((conflict) => conflict.columns(['team_id', 'channel']).doUpdateSet(values))
        .execute();
    },
  };
}
