import type { Database } from '../../db/engines/database.ts';
import { wasUpdated } from '../../db/was-updated.ts';
import { type AuditEntry, auditColumns, toAuditEntry } from '../audit-entry.ts';

/** A workspace's channel that gets the entries of its activity log. */
export interface AuditSubscription {
  readonly teamId: string;
  readonly channel: string;
  readonly createdBy: string;
  readonly createdMs: number;
}

/** A subscription, with the time up to which its entries were delivered. */
export interface ActiveSubscription extends AuditSubscription {
  /** Runs that settled before this time (epoch ms) have been delivered, except for entries that are stored late. */
  readonly deliveredUntilMs: number;
}

/**
 * Maximum delay (ms) between an entry's `settledMs` and its storage. Entries can be late because storing
 * is retried while the database fails, and because the clocks of replicas differ.
 */
const maxDelayMs = 5 * 60_000;

export type AuditSubscriptionStore = ReturnType<typeof createAuditSubscriptionStore>;

export function createAuditSubscriptionStore(db: Database) {
  return {
    /** Subscribes a channel in place of the workspace's previously subscribed one. */
    async save({ teamId, channel, createdBy, createdMs }: AuditSubscription): Promise<void> {
      const values = {
        channel,
        set_by: createdBy,
        set_at: createdMs,
        delivered_until: createdMs,
      };
      await db
        .insertInto('audit_subscription')
        .values({ team_id: teamId, ...values })
        .onConflict((conflict) => conflict.column('team_id').doUpdateSet(values))
        .execute();
    },

    async find(teamId: string, executor: Database = db): Promise<AuditSubscription | undefined> {
      const row = await executor
        .selectFrom('audit_subscription')
        .selectAll()
        .where('team_id', '=', teamId)
        .executeTakeFirst();
      return row && { teamId, channel: row.channel, createdBy: row.set_by, createdMs: row.set_at };
    },

    /** Removes a subscription. Returns whether this call removed it. */
    async remove(
      { teamId, channel, createdMs }: AuditSubscription,
      executor: Database = db,
    ): Promise<boolean> {
      const { numDeletedRows } = await executor
        .deleteFrom('audit_subscription')
        .where('team_id', '=', teamId)
        .where('channel', '=', channel)
        .where('set_at', '=', createdMs)
        .executeTakeFirst();
      if (numDeletedRows !== 1n) return false;
      await executor.deleteFrom('audit_delivery').where('team_id', '=', teamId).execute();
      return true;
    },

    /** Lists the subscriptions of all workspaces. */
    async listActive(): Promise<readonly ActiveSubscription[]> {
      const rows = await db.selectFrom('audit_subscription').selectAll().execute();
      return rows.map((row) => ({
        teamId: row.team_id,
        channel: row.channel,
        createdBy: row.set_by,
        createdMs: row.set_at,
        deliveredUntilMs: row.delivered_until,
      }));
    },

    /** Lists the entries since the subscription began that haven't been delivered yet, oldest first. */
    async listUndelivered(
      { teamId, createdMs, deliveredUntilMs }: ActiveSubscription,
      limit: number,
    ): Promise<readonly AuditEntry[]> {
      const rows = await db
        .selectFrom('run')
        .select(auditColumns)
        .where('team_id', '=', teamId)
        .where('settled_at', '>=', Math.max(createdMs, deliveredUntilMs - maxDelayMs))
        .where((row) =>
          row.not(
            row.exists(
              row
                .selectFrom('audit_delivery')
                .select('audit_delivery.run_id')
                .whereRef('audit_delivery.team_id', '=', 'run.team_id')
                .whereRef('audit_delivery.settled_at', '=', 'run.settled_at')
                .whereRef('audit_delivery.run_id', '=', 'run.id'),
            ),
          ),
        )
        .orderBy('settled_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(toAuditEntry);
    },

    async listByIds(teamId: string, ids: readonly string[]): Promise<readonly AuditEntry[]> {
      const rows = await db
        .selectFrom('run')
        .select(auditColumns)
        .where('team_id', '=', teamId)
        .where('id', 'in', ids)
        .orderBy('settled_at')
        .orderBy('id')
        .execute();
      return rows.map(toAuditEntry);
    },

    /**
     * Marks entries as delivered, and deletes marks that are no longer needed. Returns the updated
     * subscription, or undefined if the subscription has changed in the meantime.
     */
    async markDelivered(
      subscription: ActiveSubscription,
      entries: readonly AuditEntry[],
      transaction: Database,
    ): Promise<ActiveSubscription | undefined> {
      const { teamId, channel, createdMs, deliveredUntilMs } = subscription;
      const settled = entries.flatMap(({ id, settledMs }) => (settledMs === null ? [] : [{ id, settledMs }]));
      // Late entries also move the time forward, because each message needs a new key.
      const untilMs = Math.max(deliveredUntilMs + 1, ...settled.map(({ settledMs }) => settledMs));
      const isUpdated = await wasUpdated(
        transaction
          .updateTable('audit_subscription')
          .set({ delivered_until: untilMs })
          .where('team_id', '=', teamId)
          .where('channel', '=', channel)
          .where('set_at', '=', createdMs)
          .where('delivered_until', '=', deliveredUntilMs),
      );
      if (!isUpdated) return undefined;
      await transaction
        .insertInto('audit_delivery')
        .values(settled.map(({ id, settledMs }) => ({ team_id: teamId, run_id: id, settled_at: settledMs })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await transaction
        .deleteFrom('audit_delivery')
        .where('team_id', '=', teamId)
        .where('settled_at', '<', untilMs - 2 * maxDelayMs)
        .execute();
      return { ...subscription, deliveredUntilMs: untilMs };
    },
  };
}
