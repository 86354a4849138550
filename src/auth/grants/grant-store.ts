import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/engines/database.ts';
import { createRowReader } from '../../db/row-reader.ts';
import type { AccessGrantTable, ChannelLimitTable } from '../../db/schema/schema.ts';
import { includesRight, type Right, rights } from '../../operations/define/access/right.ts';
import type { HeldRight } from '../access-decision.ts';

/** A stored grant. `grantedBy` is null if the grant was made during installation. */
export interface Grant extends HeldRight {
  readonly grantee: string;
  readonly grantedBy: string | null;
  readonly grantedMs: number;
  /** When the grant expires (epoch ms). Undefined if it never expires. */
  readonly expiresMs?: number;
}

export interface ChannelLimit {
  readonly channel: string;
  readonly maxRight: Right;
}

export type GrantRef = Pick<Grant, 'grantee' | 'right' | 'pattern'>;

/** A right to grant to each grantee on each pattern. Both lists contain at least one item. */
export interface NewGrant {
  readonly grantees: readonly string[];
  readonly right: Right;
  readonly patterns: readonly string[];
  readonly expiresMs?: number | undefined;
}

export interface GrantChange {
  readonly teamId: string;
  readonly changedBy: string | null;
  readonly nowMs: number;
}

export type GrantStore = ReturnType<typeof createGrantStore>;

const rightSchema = z.enum(rights);

export function createGrantStore(db: Database, rowReader = createRowReader(), now = Date.now) {
  const grants = rowReader.forTable({
    table: 'access_grant',
    noun: 'grant',
    toValue: toGrant,
    toId: (row) => `${row.team_id}, granted at ${row.granted_at}`,
  });
  const channelLimits = rowReader.forTable({
    table: 'channel_limit',
    noun: "channel's limit",
    toValue: toChannelLimit,
    toId: (row) => `${row.team_id}, set at ${row.set_at}`,
  });

  return {
    /** Lists the grants that haven't expired. */
    async listGrants(teamId: string): Promise<readonly Grant[]> {
      const rows = await db
        .selectFrom('access_grant')
        .selectAll()
        .where('team_id', '=', teamId)
        .where((row) => row.or([row('expires_at', '=', 0), row('expires_at', '>', now())]))
        .orderBy('granted_at')
        .orderBy('grantee')
        .orderBy('pattern')
        .execute();
      return grants.readAll(rows);
    },

    /**
     * Makes all grants or none. Never lowers a right. Returns whether any right was raised. A grant of
     * `reveal` also restores that right where it was revoked, which other grants don't.
     */
    async grant(
      { teamId, changedBy, nowMs }: GrantChange,
      { grantees, right, patterns, expiresMs = 0 }: NewGrant,
    ): Promise<boolean> {
      const values = { granted_right: right, granted_by: changedBy, granted_at: nowMs };
      const lowerRights = rights.filter((other) => !includesRight(other, right));
      const rows = [...new Set(grantees)].flatMap((grantee) =>
        [...new Set(patterns)].map((pattern) => ({
          team_id: teamId,
          grantee,
          pattern,
          expires_at: expiresMs,
          ...values,
        })),
      );
      return db.transaction().execute(async (transaction) => {
        const { numInsertedOrUpdatedRows = 0n } = await transaction
          .insertInto('access_grant')
          .values(rows.map((row) => ({ ...row, reveal_revoked: 0 })))
          .onConflict((conflict) => {
            const same = conflict.columns(['team_id', 'grantee', 'pattern', 'expires_at']);
            return lowerRights.length === 0
              ? same.doNothing()
              : same.doUpdateSet(values).where('access_grant.granted_right', 'in', lowerRights);
          })
          .executeTakeFirst();
        if (right !== 'reveal') return numInsertedOrUpdatedRows > 0n;
        const { numUpdatedRows } = await transaction
          .updateTable('access_grant')
          .set({ reveal_revoked: 0 })
          .where('team_id', '=', teamId)
          .where('grantee', 'in', grantees)
          .where('pattern', 'in', patterns)
          .where('reveal_revoked', '=', 1)
          .executeTakeFirst();
        return numInsertedOrUpdatedRows + numUpdatedRows > 0n;
      });
    },

    /**
     * Revokes a grantee's rights on exactly these patterns or, without patterns, all their rights. Returns
     * the revoked rights.
     */
    async revoke(
      teamId: string,
      grantee: string,
      patterns?: readonly string[],
    ): Promise<readonly HeldRight[]> {
      let rows = db.deleteFrom('access_grant').where('team_id', '=', teamId).where('grantee', '=', grantee);
      if (patterns) rows = rows.where('pattern', 'in', patterns);
      const revoked = grants.readAll(await rows.returningAll().execute());
      return revoked.map(({ pattern, right }) => ({ pattern, right }));
    },

    /**
     * Revokes only the right to reveal secrets, on exactly these patterns or on all patterns. Returns the
     * revoked rights.
     */
    async revokeReveal(
      teamId: string,
      grantee: string,
      patterns?: readonly string[],
    ): Promise<readonly HeldRight[]> {
      let rows = db
        .updateTable('access_grant')
        .set((row) => ({
          granted_right: row
            .case()
            .when('granted_right', '=', 'reveal')
            .then('view')
            .else(row.ref('granted_right'))
            .end(),
          reveal_revoked: row.case().when('granted_right', '=', 'reveal').then(0).else(1).end(),
        }))
        .where('team_id', '=', teamId)
        .where('grantee', '=', grantee)
        .where('granted_right', '!=', 'view')
        .where('reveal_revoked', '=', 0);
      if (patterns) rows = rows.where('pattern', 'in', patterns);
      const revoked = await rows.returning('pattern').execute();
      return revoked.map(({ pattern }) => ({ pattern, right: 'reveal' }));
    },

    async deleteExpired(nowMs: number): Promise<void> {
      await db
        .deleteFrom('access_grant')
        .where('expires_at', '>', 0)
        .where('expires_at', '<=', nowMs)
        .execute();
    },

    async listChannelLimits(teamId: string): Promise<readonly ChannelLimit[]> {
      const rows = await db
        .selectFrom('channel_limit')
        .selectAll()
        .where('team_id', '=', teamId)
        .orderBy('channel')
        .execute();
      return channelLimits.readAll(rows);
    },

    async findChannelLimit(teamId: string, channel: string): Promise<Right | undefined> {
      const row = await db
        .selectFrom('channel_limit')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('channel', '=', channel)
        .executeTakeFirst();
      return row && channelLimits.read(row).maxRight;
    },

    /** Sets the highest right that can be used in a channel. Setting `admin` removes the limit. */
    async setChannelLimit(
      { teamId, changedBy, nowMs }: GrantChange,
      { channel, maxRight }: ChannelLimit,
    ): Promise<void> {
      if (maxRight === 'admin') {
        await db
          .deleteFrom('channel_limit')
          .where('team_id', '=', teamId)
          .where('channel', '=', channel)
          .execute();
        return;
      }
      const values = { max_right: maxRight, set_by: changedBy, set_at: nowMs };
      await db
        .insertInto('channel_limit')
        .values({ team_id: teamId, channel, ...values })
        .onConflict((conflict) => conflict.columns(['team_id', 'channel']).doUpdateSet(values))
        .execute();
    },
  };
}

function toChannelLimit({ channel, max_right }: Selectable<ChannelLimitTable>): ChannelLimit {
  return { channel, maxRight: rightSchema.parse(max_right) };
}

function toGrant(row: Selectable<AccessGrantTable>): Grant {
  return {
    grantee: row.grantee,
    pattern: row.pattern,
    right: rightSchema.parse(row.granted_right),
    ...(row.reveal_revoked === 1 && { isRevealRevoked: true }),
    grantedBy: row.granted_by,
    grantedMs: row.granted_at,
    ...(row.expires_at > 0 && { expiresMs: row.expires_at }),
  };
}
