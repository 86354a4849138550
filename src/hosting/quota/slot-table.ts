import { type RawBuilder, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/engines/database.ts';
import type { Schema } from '../../db/schema/schema.ts';
import type { QuotaTiming } from './quota-timing.ts';
import { hasRoom, type KeyLoad, type Slot, type SlotInUse, type Slots } from './slots.ts';

/** The part of a pino logger that the quota uses. */
export interface QuotaLogger {
  warn(fields: object, message: string): void;
}

/** How several processes agree on the slots of a key. */
export interface SharedTable {
  /** The time of the database. */
  readonly sqlNow: () => RawBuilder<number>;
  /** Lets one transaction at a time take a slot of a key. Returns the time of the database. */
  readonly lockKey: (transaction: Transaction<Schema>, fingerprint: string) => Promise<number>;
}

interface SlotTableOptions {
  readonly db: Database;
  readonly timing: QuotaTiming;
  readonly logger: QuotaLogger;
  /** If missing, this process has the database to itself. */
  readonly shared?: SharedTable | undefined;
}

/** No pause is longer. See `Retry-After` in `client/response.ts`. */
const maxPauseMs = 3_600_000;

/**
 * How long a slot that became free is kept for the people who wait in other processes, before the background
 * of any process can take it.
 */
const peopleFirstMs = 25;

const slotRow = z.object({
  lane: z.enum(['people', 'background', 'pause']),
  caller: z.string(),
  taken_at: z.number(),
  free_at: z.number(),
  now: z.number(),
});

/** How the replicas on PostgreSQL agree. */
export function shareOnPostgres(sqlNow: SharedTable['sqlNow']): SharedTable {
  return {
    sqlNow,
    async lockKey(transaction, fingerprint) {
      const { rows } = await sql<{ now: number }>`
        select ${sqlNow()} as now, pg_advisory_xact_lock(hashtextextended(${fingerprint}, 0))`.execute(
        transaction,
      );
      return rows[0]?.now ?? Number.NaN;
    },
  };
}

/** Keeps the slots in use, and the pauses of keys, as rows of the table `quota_slot`. */
export function createSlotTable({ db, timing, logger, shared }: SlotTableOptions): Slots {
  const startedAtMs = Date.now() - performance.now();
  // A process that has the database to itself counts the time, because the machine's clock can be set.
  const now =
    shared?.sqlNow ?? (() => sql<number>`cast(${Math.floor(startedAtMs + performance.now())} as bigint)`);
  const after = (ms: number) => sql<number>`${now()} + ${Math.ceil(ms)}`;
  const hasJumped = createJumpDetector();
  /** Until then, earlier calls can count that the table no longer shows. */
  let unknownUntilMs = Number.NEGATIVE_INFINITY;

  /** Waits for its turn. Returns false if the table doesn't show what is in use. */
  async function begin(transaction: Transaction<Schema>, { fingerprint }: Slot): Promise<boolean> {
    if (shared) {
      const askedAtMs = performance.now();
      if (hasJumped(await shared.lockKey(transaction, fingerprint), askedAtMs)) {
        logger.warn(
          {},
          "the database's clock jumped ahead, so no calls are sent until earlier ones no longer count",
        );
        unknownUntilMs = performance.now() + timing.expirationMs;
      }
    }
    return performance.now() >= unknownUntilMs;
  }

  /** Deletes what is free. What was taken in the future counts as taken now: the clock was set back. */
  async function correct(transaction: Transaction<Schema>, { fingerprint }: Slot): Promise<void> {
    await transaction
      .updateTable('quota_slot')
      .set({ taken_at: now(), free_at: sql`${now()} + free_at - taken_at` })
      .where('fingerprint', '=', fingerprint)
      .where('taken_at', '>', now())
      .execute();
    await transaction
      .deleteFrom('quota_slot')
      .where('fingerprint', '=', fingerprint)
      .where('free_at', '<=', after(-peopleFirstMs))
      .execute();
  }

  /** Returns the load of a key. A row that can't be read counts as in use for as long as a call can. */
  async function read(from: Database, fingerprint: string, keptMs = 0): Promise<KeyLoad> {
    const query = from.selectFrom('quota_slot').selectAll().select(now().as('now'));
    const slots = new Map<string, SlotInUse>();
    let pauseMs = 0;
    for (const row of await query.where('fingerprint', '=', fingerprint).execute()) {
      const known = parseRow(row);
      const freeAfterMs = known.freeAfterMs > 0 ? known.freeAfterMs : known.freeAfterMs + keptMs;
      if (known.lane === 'pause') pauseMs = known.freeAfterMs;
      else if (freeAfterMs > 0) slots.set(row.id, { lane: known.lane, caller: known.caller, freeAfterMs });
      if (known.isReadable) continue;
      logger.warn({ id: row.id }, 'a row of quota_slot cannot be read, so it counts as in use');
      await save(from, { id: row.id, fingerprint, lane: 'people', caller: '' }, timing.expirationMs);
    }
    return { slots, ...(pauseMs > 0 && { block: { reason: 'pause' as const, forMs: pauseMs } }) };
  }

  function parseRow(row: unknown) {
    const { data } = slotRow.safeParse(row);
    if (data) {
      const freeAfterMs = data.free_at - Math.max(data.now, data.taken_at);
      const maxMs = data.lane === 'pause' ? maxPauseMs : timing.expirationMs;
      if (freeAfterMs <= maxMs) return { ...data, freeAfterMs, isReadable: true };
    }
    return { lane: 'people' as const, caller: '', freeAfterMs: timing.expirationMs, isReadable: false };
  }

  async function save(
    to: Database,
    slot: Omit<Slot, 'lane'> & { lane: string },
    forMs: number,
  ): Promise<void> {
    const times = { taken_at: now(), free_at: after(forMs) };
    await to
      .insertInto('quota_slot')
      .values({ ...slot, ...times })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet({ ...slot, ...times })
          // A pause gets no shorter.
          .where(sql<boolean>`excluded.lane <> 'pause' or quota_slot.free_at < excluded.free_at`),
      )
      .execute();
  }

  return {
    take: (slot, limits) =>
      db.transaction().execute(async (transaction) => {
        if (!(await begin(transaction, slot))) {
          const block = { reason: 'unknown' as const, forMs: unknownUntilMs - performance.now() };
          return { slots: new Map(), block, isTaken: false };
        }
        await correct(transaction, slot);
        const keptMs = shared && slot.lane === 'background' ? peopleFirstMs : 0;
        const load = await read(transaction, slot.fingerprint, keptMs);
        const isTaken = load.block === undefined && hasRoom(load.slots, slot, limits);
        if (isTaken) await save(transaction, slot, timing.expirationMs);
        return { ...load, isTaken };
      }),

    answered: (slot) => save(db, slot, timing.holdMs),

    async cancel({ id }) {
      await db.deleteFrom('quota_slot').where('id', '=', id).execute();
    },

    pause: (fingerprint, forMs) =>
      save(
        db,
        { id: `pause ${fingerprint}`, fingerprint, lane: 'pause', caller: '' },
        Math.min(forMs, maxPauseMs),
      ),

    list: (fingerprint) => read(db, fingerprint),
  };
}

/** How much faster than this process's clock the database's clock can run without a jump. */
const maxDrift = 0.001;

/** A smaller jump does no harm. */
const maxClockErrorMs = 100;

/**
 * Returns a function that takes a time of the database, and when it was asked for. It returns whether the
 * clock of the database has jumped ahead of this process's clock, which never jumps.
 */
function createJumpDetector(): (databaseMs: number, askedAtMs: number) => boolean {
  let maxAheadMs = Number.POSITIVE_INFINITY;
  let lastAskedAtMs = 0;
  return (databaseMs, askedAtMs) => {
    const repliedAtMs = performance.now();
    const driftMs = (repliedAtMs - lastAskedAtMs) * maxDrift;
    const isAhead = databaseMs - repliedAtMs > maxAheadMs + driftMs + maxClockErrorMs;
    const boundMs = databaseMs - askedAtMs;
    maxAheadMs = isAhead ? boundMs : Math.min(maxAheadMs + driftMs, boundMs);
    lastAskedAtMs = askedAtMs;
    return isAhead;
  };
}
