import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Clock, createSystemClock } from './clock.ts';

/**
 * The time that decides due times and leases. With replicas it is PostgreSQL's, so that a replica
 * whose clock is wrong neither starts work early nor takes over living work.
 */
export interface DatabaseClock {
  /** The same time for code that runs in this process. */
  readonly clock: Clock;
  /** Returns the current time as an SQL expression. */
  sqlNow(): RawBuilder<number>;
  /** Sets `clock` to a time that the database has just returned, after `tookMs`. */
  synchronize(databaseNowMs: number, tookMs: number): void;
  /**
   * Lets one transaction at a time proceed under a name. Rejects while the clocks differ, because times
   * in the database can't be trusted if its clock has jumped.
   */
  lock<Schema>(transaction: Kysely<Schema>, name: string): Promise<void>;
  /** How far the machine's clock was ahead of the database's when they were last compared, at least. */
  skewMs(): number;
}

/** A machine whose clock is further off writes confusing times into the log. */
export const maxSkewMs = 30_000;

/** Returns the time of a process that has its database to itself: the time of its own clock. */
export function createLocalDatabaseClock(clock: Clock = createSystemClock()): DatabaseClock {
  return {
    clock,
    sqlNow: () => sql<number>`cast(${clock.now()} as bigint)`,
    synchronize() {},
    async lock() {},
    skewMs: () => 0,
  };
}

/** Returns PostgreSQL's time. `machineNow` is the time of the machine's clock. */
export function createPostgresClock(machineNow: () => number = () => Date.now()): DatabaseClock {
  const system = createSystemClock();
  // Counts from the start of the process, so that a change of the machine's clock has no effect.
  let offsetMs = machineNow() - performance.now();
  let skewMs = 0;
  const now = () => Math.floor(performance.now() + offsetMs);
  // Constant within a statement, unlike `clock_timestamp()`, so that an index can be used.
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
