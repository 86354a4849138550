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
  /** Corrects `clock` by a time that the database has just returned, after `tookMs`. */
  synchronize(databaseNowMs: number, tookMs: number): void;
  /**
   * Lets one transaction at a time go on under a name, and compares the clocks. Rejects if `isRight` is
   * false.
   */
  lock<Schema>(transaction: Kysely<Schema>, name: string): Promise<void>;
  /**
   * The minimum by which the machine's clock was ahead of the database's when they were last
   * compared.
   */
  skewMs(): number;
  /** Returns whether the two clocks are close enough for this process to work. */
  isRight(): boolean;
  /** Sets the listener that is called when `isRight` changes. */
  onChange(listener: (isRight: boolean) => void): void;
}

/** A machine whose clock is further off would write false times into the log and the activity log. */
const maxSkewMs = 30_000;

/** Returns the time of a process that has its database to itself: the time of its own clock. */
export function createLocalDatabaseClock(clock: Clock = createSystemClock()): DatabaseClock {
  return {
    clock,
    sqlNow: () => sql<number>`cast(${clock.now()} as bigint)`,
    synchronize() {},
    async lock() {},
    skewMs: () => 0,
    isRight: () => true,
    onChange() {},
  };
}

/** Returns PostgreSQL's time. `machineNow` is the time of the machine's clock. */
export function createPostgresClock(machineNow: () => number = () => Date.now()): DatabaseClock {
  const system = createSystemClock();
  // Counts from the start of the process, so that a change of the machine's clock has no effect.
  let offsetMs = machineNow() - performance.now();
  let skewMs = 0;
  let notify: (isRight: boolean) => void = () => {};
  const isRight = () => Math.abs(skewMs) <= maxSkewMs;
  const now = () => Math.floor(performance.now() + offsetMs);
  // Constant within a statement, unlike `clock_timestamp()`, so that an index can be used.
  const sqlNow = () => sql<number>`floor(extract(epoch from statement_timestamp()) * 1000)::bigint`;

  function synchronize(databaseNowMs: number, tookMs: number): void {
    offsetMs = databaseNowMs - performance.now();
    const wasRight = isRight();
    const aheadMs = machineNow() - databaseNowMs;
    // The database can have read its clock at any time during the query.
    skewMs = aheadMs - Math.min(Math.max(0, aheadMs), tookMs);
    if (isRight() !== wasRight) notify(isRight());
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
      if (!isRight()) throw new Error("the clocks of this machine and of the database don't agree");
    },
    skewMs: () => skewMs,
    isRight,
    onChange(listener) {
      notify = listener;
    },
  };
}
