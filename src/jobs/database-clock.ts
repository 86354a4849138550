import { type RawBuilder, sql } from 'kysely';
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
  /** Corrects `clock` by a time that the database has just returned. */
  synchronize(databaseNowMs: number): void;
}

/** Returns the time of a process that has its database to itself: the time of its own clock. */
export function createLocalDatabaseClock(clock: Clock = createSystemClock()): DatabaseClock {
  return {
    clock,
    sqlNow: () => sql<number>`cast(${clock.now()} as bigint)`,
    synchronize() {},
  };
}

/** Returns PostgreSQL's time. */
export function createPostgresClock(): DatabaseClock {
  const system = createSystemClock();
  // Counts from the start of the process, so that a change of the machine's clock has no effect.
  let offsetMs = Date.now() - performance.now();
  const now = () => Math.floor(performance.now() + offsetMs);
  return {
    clock: {
      now,
      setTimer: (atMs, run) => system.setTimer(system.now() + atMs - now(), run),
    },
    // Constant within a statement, unlike `clock_timestamp()`, so that an index can be used.
    sqlNow: () => sql<number>`floor(extract(epoch from statement_timestamp()) * 1000)::bigint`,
    synchronize(databaseNowMs) {
      offsetMs = databaseNowMs - performance.now();
    },
  };
}
