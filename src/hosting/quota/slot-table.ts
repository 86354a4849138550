import os from 'node:os';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Database } from '../../db/engines/database.ts';
import type { Schema } from '../../db/schema/schema.ts';
import type { QuotaTiming } from './quota-timing.ts';
import { hasRoom, type KeyLoad, type Slot, type SlotInUse, type Slots } from './slots.ts';

/** Coordinates processes that use the same table. */
export interface SharedClock {
  /** Returns the database's time as an SQL expression. */
  sqlNow(): RawBuilder<number>;
  /** Takes a named lock until the transaction ends. Rejects if the database's time can't be trusted. */
  lock(transaction: Transaction<Schema>, name: string): Promise<void>;
}

interface SlotTableOptions {
  readonly db: Database;
  /** Omitted if this process has the table to itself. */
  readonly sharedClock?: SharedClock | undefined;
  readonly timing: QuotaTiming;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The longest possible pause. See `Retry-After` in `client/response.ts`. */
const maxPauseMs = 3_600_000;

/** How long a freed slot is reserved for people in other processes before the background can take it. */
const peopleFirstMs = 25;

/** How far in the future a row's time can be without any clock change, because the row's transaction was faster. */
const maxAheadMs = 1_000;

const slotRow = z.object({
  lane: z.enum(['people', 'background', 'pause']),
  caller: z.string(),
  taken_at: z.number(),
  free_at: z.number(),
  now: z.number(),
});

/** Keeps the slots in use and the pauses of keys as rows in the `quota_slot` table. */
export function createSlotTable({ db, sharedClock, timing, logger }: SlotTableOptions): Slots {
  const startedAtMs = Date.now() - performance.now();
  // A process that has the database to itself uses a monotonic clock, because the machine's clock can be
  // changed.
  const countedMs = () => Math.floor(startedAtMs + performance.now());
  const ownNow = () => sql<number>`cast(${countedMs()} as bigint)`;
  // The uptime includes time when the machine was suspended. The monotonic clock doesn't.
  const findBootMs = () => (sharedClock ? 0 : Math.round(countedMs() - os.uptime() * 1_000));
  const now = sharedClock ? sharedClock.sqlNow : ownNow;
  const after = (ms: number) => sql<number>`${now()} + ${Math.ceil(ms)}`;

  /** Corrects the times of rows written before a clock change, then deletes free slots. */
  async function correct(transaction: Transaction<Schema>, { fingerprint }: Slot): Promise<void> {
    const bootedAtMs = findBootMs();
    const update = transaction.updateTable('quota_slot').where('fingerprint', '=', fingerprint);
    // Shifts times if the machine seems to have booted later: its clock was set forward, or it was
    // rebooted.
    const shift = (column: 'taken_at' | 'free_at') =>
      sql<number>`${sql.ref(column)} + ${bootedAtMs} - booted_at`;
    await update
      .set({ taken_at: shift('taken_at'), free_at: shift('free_at'), booted_at: bootedAtMs })
      .where('booted_at', '<', bootedAtMs)
      .execute();
    // Rows whose `taken_at` is in the future count as taken now.
    await update
      .set({ taken_at: now(), free_at: sql`${now()} + free_at - taken_at`, booted_at: bootedAtMs })
      .where('taken_at', '>', after(maxAheadMs))
      .execute();
    await transaction
      .deleteFrom('quota_slot')
      .where('fingerprint', '=', fingerprint)
      .where('free_at', '<=', after(-peopleFirstMs))
      .execute();
  }

  /** Returns a key's load. An unreadable row counts as a slot in use, for as long as a call can hold one. */
  async function read(from: Database, fingerprint: string, keptMs = 0): Promise<KeyLoad> {
    const query = from.selectFrom('quota_slot').selectAll().select(now().as('now'));
    const slots = new Map<string, SlotInUse>();
    let pauseMs = 0;
    for (const row of await query.where('fingerprint', '=', fingerprint).execute()) {
      const { lane, caller, freeAfterMs, isReadable } = parseRow(row);
      const freeForLaneMs = freeAfterMs > 0 ? freeAfterMs : freeAfterMs + keptMs;
      if (lane === 'pause') pauseMs = freeAfterMs;
      else if (freeForLaneMs > 0) slots.set(row.id, { lane, caller, freeAfterMs: freeForLaneMs });
      if (isReadable) continue;
      logger.warn({ id: row.id }, 'a row of quota_slot cannot be read, so it counts as in use');
      await save(from, { id: row.id, fingerprint, lane: 'people', caller: '' }, timing.expirationMs);
    }
    return { slots, block: pauseMs > 0 ? { reason: 'pause', forMs: pauseMs } : undefined };
  }

  function parseRow(row: unknown) {
    const { data } = slotRow.safeParse(row);
    const freeAfterMs = data ? data.free_at - Math.max(data.now, data.taken_at) : Number.NaN;
    if (data && freeAfterMs <= (data.lane === 'pause' ? maxPauseMs : timing.expirationMs))
      return { ...data, freeAfterMs, isReadable: true };
    return { lane: 'people' as const, caller: '', freeAfterMs: timing.expirationMs, isReadable: false };
  }

  async function save(
    to: Database,
    slot: Omit<Slot, 'lane'> & { lane: string },
    forMs: number,
  ): Promise<void> {
    const row = { ...slot, taken_at: now(), free_at: after(forMs), booted_at: findBootMs() };
    await to
      .insertInto('quota_slot')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet(row)
          // A pause never gets shorter.
          .where(sql<boolean>`excluded.lane <> 'pause' or quota_slot.free_at < excluded.free_at`),
      )
      .execute();
  }

  return {
    take: (slot, limits) =>
      db.transaction().execute(async (transaction) => {
        await sharedClock?.lock(transaction, slot.fingerprint);
        await correct(transaction, slot);
        const keptMs = sharedClock && slot.lane === 'background' ? peopleFirstMs : 0;
        const load = await read(transaction, slot.fingerprint, keptMs);
        const isTaken = load.block === undefined && hasRoom(load.slots, slot, limits);
        if (isTaken) await save(transaction, slot, timing.expirationMs);
        return { ...load, isTaken };
      }),
    answered: (slot) => save(db, slot, timing.holdMs),
    cancel: async ({ id }) => void (await db.deleteFrom('quota_slot').where('id', '=', id).execute()),
    pause: (fingerprint, forMs) =>
      save(db, { id: `pause ${fingerprint}`, fingerprint, lane: 'pause', caller: '' }, forMs),
    list: (fingerprint) => read(db, fingerprint),
  };
}
