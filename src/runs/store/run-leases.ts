import { sql } from 'kysely';
import type { Database } from '../../db/engines/database.ts';
import type { Run } from '../run.ts';
import type { ChangeShown } from './change-shown.ts';
import { toRun } from './run-row.ts';

/**
 * The process working on a run, and when (epoch ms) that process stops counting as alive unless it extends the lease.
 */
export interface Lease {
  readonly owner: string;
  readonly untilMs: number;
}

/**
 * Matches runs that their owner must finish: queued or sent runs, or those whose card was clicked. Other
 * waiting runs may have a card on its way to the actor.
 */
const needsOwner = sql<boolean>`(status in ('queued', 'sent') or clicked_at is not null)`;

/** Creates the store of run leases. A process owns a run while it has to execute the run or send its reply. */
export function createRunLeases(db: Database, changeShown: ChangeShown) {
  const updateRun = (id: string) => db.updateTable('run').where('id', '=', id);

  async function setLeaseEnd({ owner, untilMs }: Lease, sinceMs: number): Promise<void> {
    await db
      .updateTable('run')
      .set({ lease_until: untilMs })
      .where('owner', '=', owner)
      .where((row) =>
        row.or([row('status', 'in', ['waiting', 'queued', 'sent']), row('settled_at', '>=', sinceMs)]),
      )
      .execute();
  }

  return {
    async listOwned(owner: string): Promise<readonly Run[]> {
      const rows = await db
        .selectFrom('run')
        .selectAll()
        .where('owner', '=', owner)
        .where('status', 'in', ['waiting', 'queued', 'sent'])
        .where(needsOwner)
        .execute();
      return rows.map(toRun);
    },

    /** Extends the owner's leases, except those of runs that settled before `sinceMs`. */
    extendLeases: setLeaseEnd,

    /** Records that this owner delivered the confirmation. The run then has no owner until someone confirms it. */
    async markConfirmationDelivered(id: string, owner: string): Promise<void> {
      await updateRun(id)
        .set(toLeaseColumns(null))
        .where('status', '=', 'waiting')
        .where('ask_id', 'is', null)
        .where('clicked_at', 'is', null)
        .where('owner', '=', owner)
        .execute();
    },

    /**
     * Records that a run's end was reported. If `settledMs` is given, does so only if the run wasn't
     * settled again since then.
     */
    async markDelivered(id: string, settledMs?: number): Promise<void> {
      const settled = updateRun(id)
        .set({ ...toLeaseColumns(null), response_url_jwe: null })
        .where((row) => row.or([row('owner', 'is not', null), row('response_url_jwe', 'is not', null)]));
      await (settledMs === undefined
        ? settled.where('settled_at', 'is not', null)
        : settled.where('settled_at', '=', settledMs)
      ).execute();
    },

    /** Returns whether the owner still has to execute a queued run or read. */
    async isQueuedFor(id: string, owner: string): Promise<boolean> {
      const row = await db
        .selectFrom('run')
        .select('id')
        .where('id', '=', id)
        .where('status', '=', 'queued')
        .where('owner', '=', owner)
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * Shows the results of runs that settled after `sinceMs`, if their owners lost the lease before
     * `leaseBeforeMs` without replying.
     */
    async showUndelivered(owner: string, leaseBeforeMs: number, sinceMs: number): Promise<readonly Run[]> {
      return changeShown((transaction) =>
        transaction
          .updateTable('run')
          .set(toLeaseColumns(null))
          .where('settled_at', '>=', sinceMs)
          .where('owner', '!=', owner)
          .where('lease_until', '<', leaseBeforeMs)
          .returningAll()
          .execute(),
      );
    },

    /**
     * Ends the owner's leases, so another process takes over unfinished and unreported runs at once. Leaves out runs
     * that settled before `sinceMs`, which are no longer reported.
     */
    endLeases: (owner: string, sinceMs: number) => setLeaseEnd({ owner, untilMs: 0 }, sinceMs),

    /** Takes over unfinished runs from owners whose lease ended before `leaseBeforeMs`. */
    async adopt(lease: Lease, leaseBeforeMs: number): Promise<readonly Run[]> {
      const rows = await db
        .updateTable('run')
        .set(toLeaseColumns(lease))
        .where('status', 'in', ['waiting', 'queued', 'sent'])
        .where('owner', '!=', lease.owner)
        .where('lease_until', '<', leaseBeforeMs)
        .returningAll()
        .execute();
      return rows.map(toRun);
    },
  };
}

/** Returns a run's owner columns, empty if the lease is `null`. */
export function toLeaseColumns(lease: Lease | null) {
  return { owner: lease?.owner ?? null, lease_until: lease?.untilMs ?? null };
}
