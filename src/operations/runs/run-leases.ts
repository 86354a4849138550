import { sql } from 'kysely';
import type { Database } from '../../storage/database.ts';
import type { Run } from './run.ts';
import { placeOf, toRun } from './run-row.ts';

/** Which process works on a run, and until when it is taken to be alive. */
export interface Lease {
  readonly owner: string;
  readonly untilMs: number;
}

/** What a process must not leave undone: what is under way, and cards that it is about to post. */
const isHeld = sql<boolean>`(status in ('queued', 'sent') or (status = 'waiting' and approval_cards = '[]'))`;

/** Creates what keeps whose a run is: a process owns it as long as it owes it something, its work, a card, the telling of its end. */
export function createRunLeases(db: Database) {
  const of = (id: string) => db.updateTable('run').where('id', '=', id);

  return {
    /** Gives what an owner must not leave undone. */
    async ownedBy(owner: string): Promise<readonly Run[]> {
      const rows = await db
        .selectFrom('run')
        .selectAll()
        .where('owner', '=', owner)
        .where('status', 'in', ['waiting', 'queued', 'sent'])
        .where(isHeld)
        .execute();
      return rows.map(toRun);
    },

    /** Says that the owner still works on what it has, and still tells what ended since then. */
    async extendLeases({ owner, untilMs }: Lease, sinceMs: number): Promise<void> {
      await db
        .updateTable('run')
        .set({ lease_until: untilMs })
        .where('owner', '=', owner)
        .where((row) =>
          row.or([row('status', 'in', ['waiting', 'queued', 'sent']), row('settled_at', '>=', sinceMs)]),
        )
        .execute();
    },

    /** The card of a run has come to its asker: nobody owes them anything until they press it. */
    async cardTold(id: string): Promise<void> {
      await of(id)
        .set(heldBy(null))
        .where('status', '=', 'waiting')
        .where('approval_cards', 'is', null)
        .execute();
    },

    /** The end that a run came to, at that time where it may have come to another since, has been told: nobody owns it any more. */
    async told(id: string, settledMs?: number): Promise<void> {
      const settled = of(id).set(heldBy(null)).where('owner', 'is not', null);
      await (settledMs === undefined
        ? settled.where('settled_at', 'is not', null)
        : settled.where('settled_at', '=', settledMs)
      ).execute();
      await forgetUrl(db, id);
    },

    /** Takes over what ended since then and was not told by an owner who is gone: whose lease ended before `leaseBeforeMs`. */
    async adoptUntold(lease: Lease, leaseBeforeMs: number, sinceMs: number): Promise<readonly Run[]> {
      const rows = await db
        .updateTable('run')
        .set(heldBy(lease))
        .where('settled_at', '>=', sinceMs)
        .where('owner', '!=', lease.owner)
        .where('lease_until', '<', leaseBeforeMs)
        .returningAll()
        .execute();
      return rows.map(toRun);
    },

    /** Takes over what an owner who is gone has left undone: what has a lease that ended before `leaseBeforeMs`. */
    async adopt(lease: Lease, leaseBeforeMs: number): Promise<readonly Run[]> {
      const rows = await db
        .updateTable('run')
        .set(heldBy(lease))
        .where('status', 'in', ['waiting', 'queued', 'sent'])
        .where(isHeld)
        .where('owner', '!=', lease.owner)
        .where('lease_until', '<', leaseBeforeMs)
        .returningAll()
        .execute();
      return rows.map(toRun);
    },
  };
}

/** Leaves the response URL out of the record of what is over and told. */
export async function forgetUrl(db: Database, id: string): Promise<void> {
  const row = await db.selectFrom('run').selectAll().where('id', '=', id).executeTakeFirst();
  const origin = row && toRun(row).origin;
  if (origin?.responseUrl === undefined) return;
  await db
    .updateTable('run')
    .set({ origin: JSON.stringify(placeOf(origin)) })
    .where('id', '=', id)
    .where('settled_at', 'is not', null)
    .execute();
}

/** Writes whose a run is; `null` for nobody's. */
export function heldBy(lease: Lease | null) {
  return { owner: lease?.owner ?? null, lease_until: lease?.untilMs ?? null };
}
