import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Clock, createSystemClock } from './clock.ts';

/**
 * The clock for due times and leases. With replicas, it's PostgreSQL's, so a replica with a wrong clock
 * neither starts work early nor takes over work that another replica is doing.
 */
export interface DatabaseClock {
  /** The database's time, for code in this process. */
  readonly clock: Clock;
  /** Returns the current time as an SQL expression. */
  sqlNow(): RawBuilder<number>;
  /** Sets `clock` to the time returned by a database query that took `tookMs`. */
  synchronize(databaseNowMs: number, tookMs: number): void;
  /**
   * Takes a named lock until the transaction ends. Rejects while the clocks differ by more than `maxSkewMs`,
   * because times in the database can't be trusted if its clock has jumped.
   */
  lock<Schema>(transaction: Kysely<Schema>, name: string): Promise<void>;
  /**
   * Returns the minimum number of ms by which the machine's clock was ahead of the database's when they
   * were last compared. Negative if the machine's clock was behind.
   */
  skewMs(): number;
}

/** Maximum tolerated difference between the machine's clock and the database's. */
export const maxSkewMs = 30_000;

/** Returns the local clock, for a process that has the database to itself. */
export function createLocalDatabaseClock(clock: Clock = createSystemClock()): DatabaseClock {
  return {
    clock,
    sqlNow: () => sql<number>`cast(${clock.now()} as bigint)`,
    synchronize() {},
    async lock() {},
    skewMs: () => 0,
  };
}

/** Returns PostgreSQL's clock. `machineNow` reads the machine's clock. */
export function createPostgresClock(machineNow: () => number = () => Date.now()): DatabaseClock {
  const system = createSystemClock();
  // Relative to a monotonic clock, so changes to the machine's clock have no effect.
  let offsetMs = machineNow() - performance.now();
  let skewMs = 0;
  const now = () => Math.floor(performance.now() + offsetMs);
  // Constant within a statement, unlike `clock_timestamp()`, so an index can be used.
  const sqlNow = () => sql<number>`floor(extract(epoch from statement_timestamp()) * 1000)::bigint`;

  function synchronize(databaseNowMs: number, tookMs: number): void {
    offsetMs = databaseNowMs - performance.now();
    const aheadMs = machineNow() - databaseNowMs;
    // The database may have read its clock at any time during the query.
    skewMs = aheadMs - Math.min(Math.max(0, aheadMs), tookMs);
  }

  return {
    clock: {
      now,
      setTimer: (atMs, run) => system.setTimer(system.now() + atMs - now(), run),
    },
    sqlNow,
    synchronize,
    async lock(transaction, name) {
      const startedAtMs = performance.now();
      const { rows } = await sql<{ now: number }>`
        select ${sqlNow()} as now, pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
      const [row] = rows;
      if (row) synchronize(row.now, performance.now() - startedAtMs);
      if (Math.abs(skewMs) > maxSkewMs)
        throw new Error("the clocks of this machine and of the database don't agree");
    },
    skewMs: () => skewMs,
  };
}
