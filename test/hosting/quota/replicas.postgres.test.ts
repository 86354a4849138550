import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../src/db/engines/database.ts';
import {
  createRateLimiter,
  type RateLimiter,
  type RateLimiterOptions,
} from '../../../src/hosting/quota/rate-limiter.ts';
import { createPostgresClock } from '../../../src/jobs/database-clock.ts';
import { eventually } from '../../eventually.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { createPostgresDatabase, type TestDatabase } from '../../services/postgres.ts';
import { createCallRecorder, type LoggedCall, maxCallsInWindow } from './call-recorder.ts';
import type { ReplicaCommand, ReplicaLogEntry, ReplicaSettings } from './replica-process.ts';

/** How often other processes are polled. */
const pollMs = 20;

interface Replica {
  send(command: ReplicaCommand): void;
  /** Continues the process, which freezes itself, with SIGCONT. */
  thaw(): void;
  /** Sends SIGKILL. Calls in flight have arrived by now or never will. */
  kill(): Promise<void>;
  /** Closes the quota and waits until the process has exited. */
  close(): Promise<void>;
}

/** Creates a fleet of replica processes that write to the same log. */
function createReplicaFleet(options: Omit<RateLimiterOptions, 'table'>, databaseUrl: string) {
  const directory = makeScratchDirectory('quota');
  const logFile = join(directory, 'log');
  writeFileSync(logFile, '');
  const children = new Map<string, ChildProcess>();
  const killedAtMs = new Map<string, number>();

  function readLog(): ReplicaLogEntry[] {
    return readFileSync(logFile, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  return {
    lines: readLog,

    /**
     * Returns the sent calls of a key. Calls of a killed process count as answered when it ended. A call can
     * arrive until it times out. A process that gets no CPU logs its answer later than that, although
     * its bytes left long before.
     */
    calls(fingerprint: string): LoggedCall[] {
      const calls = new Map<string, LoggedCall>();
      const { callTimeoutMs } = options;
      for (const { call: name, event, atMs } of readLog()) {
        const [replica = '', key] = name.split(' ');
        if (key !== fingerprint) continue;
        const endMs = killedAtMs.get(replica) ?? Date.now();
        if (event === 'sent') calls.set(name, { name, sentAtMs: atMs, answeredAtMs: endMs });
        const call = calls.get(name);
        if (event === 'answered' && call) call.answeredAtMs = atMs;
      }
      return [...calls.values()].map(({ name, sentAtMs, answeredAtMs }) => ({
        ...{ name, sentAtMs },
        answeredAtMs: Math.min(answeredAtMs, sentAtMs + callTimeoutMs),
      }));
    },

    async start(name: string, aheadMs = 0): Promise<Replica> {
      const settings: ReplicaSettings = { name, options, databaseUrl, logFile, aheadMs };
      const child = fork(new URL('./replica-process.ts', import.meta.url), [JSON.stringify(settings)]);
      children.set(name, child);
      await once(child, 'message');
      return {
        send: (command) => void child.send(command),
        thaw: () => void child.kill('SIGCONT'),
        async kill() {
          child.kill('SIGKILL');
          await once(child, 'exit');
          killedAtMs.set(name, Date.now());
        },
        async close() {
          const ended = once(child, 'exit');
          child.send({ kind: 'close' } satisfies ReplicaCommand);
          await ended;
        },
      };
    },

    /** Waits until the condition is true. Throws after `timeoutMs`. */
    until: (condition: () => boolean, timeoutMs: number, intervalMs = pollMs) =>
      eventually(
        () => {
          if (!condition()) throw new Error(`the condition is still false after ${timeoutMs} ms`);
        },
        { timeoutMs, intervalMs },
      ),

    async end() {
      for (const child of children.values()) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    },
  };
}

/** Short, so that tests can wait until windows have passed. */
const windowMs = 1_000;
const timing = { windowMs, callTimeoutMs: 500 };
const holdMs = 1_010;
const expirationMs = 1_760;
/** Additional time for a busy machine. */
const slackMs = 10_000;
const limit = 10;

let postgres: TestDatabase;
let database: OpenDatabase;
const sharedClock = createPostgresClock();
const { sqlNow } = sharedClock;

beforeAll(async () => {
  postgres = await createPostgresDatabase();
  database = await openDatabase(postgres.url);
});

afterAll(async () => {
  await database.close();
  await postgres.stop();
});

function start(options: Partial<Parameters<typeof createRateLimiter>[0]> = {}): RateLimiter {
  return createRateLimiter({
    ...timing,
    table: { db: database.db, sharedClock },
    ...options,
  });
}

/** Counts the slots of a key that aren't free yet. */
async function countInUse(fingerprint: string): Promise<number> {
  const rows = await database.db
    .selectFrom('quota_slot')
    .select('id')
    .where('fingerprint', '=', fingerprint)
    .where('free_at', '>', sqlNow())
    .execute();
  return rows.length;
}

/** Makes calls of a lane, each by its own caller. */
function scheduleMany(
  limiter: RateLimiter,
  slot: { readonly fingerprint: string; readonly lane: 'people' | 'background'; readonly limit: number },
  count: number,
  call: () => Promise<string>,
) {
  return Promise.all(
    Array.from({ length: count }, (_, i) => limiter.schedule({ ...slot, caller: `${call.name} ${i}` }, call)),
  );
}

describe('three replicas, two of which have a wrong clock', () => {
  let fleet: ReturnType<typeof createReplicaFleet>;
  let replicas: readonly [Replica, Replica, Replica];

  beforeAll(async () => {
    fleet = createReplicaFleet(timing, postgres.url);
    replicas = await Promise.all([fleet.start('a'), fleet.start('b', -5_000), fleet.start('c', 3_600_000)]);
  });

  afterAll(() => fleet.end());

  test('obey a pause, and so does one that starts later', async () => {
    const slot = { fingerprint: 'paused', limit };
    const [a, b] = replicas;
    const calls = () => fleet.calls('paused');
    b.send({ kind: 'call', lane: 'people', count: 1, latencyMs: 10, slot });
    await fleet.until(() => calls().length === 1, slackMs);
    const untilMs = Date.now() + 3_000;
    a.send({ kind: 'pause', fingerprint: slot.fingerprint, forMs: 3_000 });
    a.send({ kind: 'pause', fingerprint: slot.fingerprint, forMs: 500 });
    const pauses = () => database.db.selectFrom('quota_slot').where('lane', '=', 'pause').select('id');
    await expect.poll(() => pauses().execute()).toEqual([{ id: 'pause paused' }]);
    const later = await fleet.start('d');
    for (const replica of [a, b, later])
      replica.send({ kind: 'call', lane: 'people', count: 3, latencyMs: 10, slot });
    await fleet.until(() => calls().length === 10, 3_000 + slackMs);
    await later.close();
    const [, ...paused] = calls();
    // The end in the table is rounded to whole milliseconds.
    expect(Math.min(...paused.map(({ sentAtMs }) => sentAtMs))).toBeGreaterThanOrEqual(untilMs - 5);
  });

  test.each(['in slot', 'sent'] as const)(
    'use no slot of before, if they were frozen for longer than it lasts, with a call %s',
    async (freezeWhen) => {
      const [a, b] = replicas;
      const slot = { fingerprint: `frozen-${freezeWhen.replace(' ', '-')}`, limit };
      const calls = () => fleet.calls(slot.fingerprint);
      b.send({ kind: 'call', lane: 'people', count: limit, latencyMs: 200, slot, freezeWhen });
      await expect.poll(() => countInUse(slot.fingerprint)).toBeGreaterThan(0);
      await expect.poll(() => countInUse(slot.fingerprint)).toBe(0);
      a.send({ kind: 'call', lane: 'people', count: limit, latencyMs: 200, slot });
      const ofA = () => calls().filter(({ name }) => name.startsWith('a'));
      await fleet.until(() => ofA().length >= 8, slackMs);
      b.thaw();
      await fleet.until(() => calls().length === 2 * limit, 2 * expirationMs + holdMs + slackMs);
      expect(maxCallsInWindow(calls(), windowMs)).toBeLessThanOrEqual(limit);
    },
  );

  test('exceed the quota in no window when one is killed, whose slots are released', async () => {
    const slot = { fingerprint: 'killed', limit };
    const calls = () => fleet.calls('killed');
    const earlier = fleet.lines().length;
    for (const replica of replicas)
      replica.send({ kind: 'call', lane: 'background', count: 16, latencyMs: 200, slot });
    await fleet.until(() => calls().length > 8, holdMs + slackMs);
    await replicas[0].kill();
    const expected = 32 + calls().filter(({ name }) => name.startsWith('a')).length;
    await fleet.until(() => calls().length === expected, 8 * holdMs + slackMs);
    expect(maxCallsInWindow(calls(), windowMs)).toBeLessThanOrEqual(limit);
    await expect.poll(() => countInUse(slot.fingerprint)).toBe(0);
    expect(
      fleet
        .lines()
        .slice(earlier)
        .filter(({ event }) => event === 'rejected'),
    ).toEqual([]);
  });
});

test('no slot becomes free early if the clock of the database jumps ahead by an hour, and none late if it goes back', async () => {
  let jumpMs = 0;
  const clocks = [0, 1].map(() => createPostgresClock(() => Date.now() + jumpMs));
  const limiters = clocks.map((clock) =>
    start({
      table: {
        db: database.db,
        sharedClock: {
          // The database is ahead of the machine by this much until the machine's clock is set too.
          sqlNow: () => sql<number>`${clock.sqlNow()} + cast(${jumpMs} as bigint)`,
          lock: clock.lock,
        },
      },
    }),
  );
  onTestFinished(async () => void (await Promise.all(limiters.map((limiter) => limiter.close()))));
  const { log, call } = createCallRecorder();
  const slot = { fingerprint: 'jump', lane: 'people', limit: 4 } as const;
  const scheduleAll = () =>
    Promise.all(limiters.map((limiter) => scheduleMany(limiter, slot, 2, call('read', 10))));
  await scheduleAll();
  jumpMs = 3_600_000;
  const ahead = scheduleAll();
  await expect
    .poll(async () => (await limiters[0]?.usage(slot.fingerprint, 4))?.wait.people.reason)
    .toBe('unreachable');
  await expect.poll(() => performance.now() - (log[3]?.answeredAtMs ?? 0)).toBeGreaterThan(holdMs);
  expect(log).toHaveLength(4);
  jumpMs = 0;
  await ahead;
  jumpMs = -20_000;
  const backAtMs = performance.now();
  await scheduleAll();
  expect(log).toHaveLength(12);
  expect(maxCallsInWindow(log, windowMs)).toBe(4);
  expect(performance.now() - backAtMs).toBeLessThan(expirationMs + slackMs);
});
