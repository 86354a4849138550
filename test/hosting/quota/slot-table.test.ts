import os from 'node:os';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../src/db/engines/database.ts';
import { createRateLimiter, type Lane, type RateLimiter } from '../../../src/hosting/quota/rate-limiter.ts';
import { createCallRecorder, type LoggedCall, maxCallsInWindow } from './call-recorder.ts';

const windowMs = 60_000;
const holdMs = 60_250;
const callTimeoutMs = 20_000;
/** How long the slot of a process that has died counts. */
const expirationMs = 15_000 + callTimeoutMs + holdMs;
const fingerprint = 'a key';
const people = { fingerprint, lane: 'people', limit: 1 } as const;

let database: OpenDatabase;
const logger = { warn: vi.fn() };
/** When the machine was started, on a clock that isn't set. */
let bootedAtSeconds = 0;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.spyOn(os, 'uptime').mockImplementation(() => performance.now() / 1_000 - bootedAtSeconds);
  bootedAtSeconds = 0;
  logger.warn.mockReset();
  database = await openDatabase('sqlite::memory:');
});

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await database.close();
});

let kill: () => void;

/** Starts the limiter of a process. After `kill`, it neither stores nor sends anything. */
function start(): RateLimiter {
  let isKilled = false;
  kill = () => {
    isKilled = true;
  };
  const db = database.db.withPlugin({
    transformQuery({ node }) {
      if (isKilled) throw new Error('killed');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return createRateLimiter({ callTimeoutMs, logger, table: { db } });
}

function schedule(limiter: RateLimiter, options: object, call: () => Promise<string>): Promise<unknown> {
  return limiter.schedule({ ...people, ...options }, call).catch((error: unknown) => error);
}

const countRows = async () => (await database.db.selectFrom('quota_slot').selectAll().execute()).length;

test.each([
  { after: 'a restart', byMs: 0 },
  { after: 'a restart with a clock that was set back by an hour', byMs: -3_600_000 },
  { after: 'a restart with a clock that was set back by 30 s', byMs: -30_000 },
  { after: 'a restart with a clock that was set forward by an hour', byMs: 3_600_000 },
  { after: 'a restart of the machine', byMs: 0, isMachineStarted: true },
  { after: 'a restart of the machine with a clock set forward', byMs: 3_600_000, isMachineStarted: true },
  { after: 'a restart some time after the machine was suspended', byMs: 0, suspendedMs: 3_600_000 },
])(
  'slots stay in use after $after, and none for longer than it can count',
  async ({ byMs, isMachineStarted = false, suspendedMs = 0 }) => {
    const { log, call } = createCallRecorder();
    const first = start();
    vi.setSystemTime(Date.now() + suspendedMs);
    bootedAtSeconds -= suspendedMs / 1_000;
    for (const caller of ['a', 'b', 'c']) void schedule(first, { caller, limit: 3 }, call(caller));
    await vi.advanceTimersByTimeAsync(1_000);
    kill();
    vi.setSystemTime(Date.now() + byMs);
    await vi.advanceTimersByTimeAsync(20_000);
    if (isMachineStarted) bootedAtSeconds = performance.now() / 1_000 - 10;
    const second = start();
    for (const caller of ['d', 'e', 'f']) void schedule(second, { caller, limit: 3 }, call(caller));
    await vi.advanceTimersByTimeAsync(2 * holdMs);
    expect(log).toHaveLength(6);
    expect(maxCallsInWindow(log, windowMs)).toBe(3);
    const betweenMs = (log[3]?.sentAtMs ?? 0) - (log[0]?.answeredAtMs ?? 0);
    expect(betweenMs).toBeLessThan(byMs < 0 || isMachineStarted ? 20_000 + expirationMs : holdMs + 100);
  },
);

test("after a restart, the background's calls count in their lane, and people have free slots", async () => {
  const { names, call } = createCallRecorder();
  const first = start();
  for (let i = 0; i < 8; i += 1)
    void schedule(first, { lane: 'background', caller: `${i}`, limit: 10 }, call('before'));
  await vi.advanceTimersByTimeAsync(1_000);
  kill();
  const second = start();
  void schedule(second, { lane: 'background', caller: 'report', limit: 10 }, call('report'));
  for (const caller of ['a', 'b']) void schedule(second, { caller, limit: 10 }, call('person'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(names().slice(8)).toEqual(['person', 'person']);
  expect(await second.usage(fingerprint, 10)).toMatchObject({ used: { people: 2, background: 8 } });
  await vi.advanceTimersByTimeAsync(holdMs);
  expect(names()).toContain('report');
  await second.close();
});

test('no window exceeds the quota, whenever the process is killed and restarted with a clock that was set', async () => {
  const arrival = fc.record({
    atMs: fc.integer({ min: 0, max: 300_000 }),
    lane: fc.constantFrom<Lane>('people', 'background'),
    caller: fc.constantFrom('a', 'b', 'c'),
    latencyMs: fc.integer({ min: 0, max: callTimeoutMs - 1 }),
  });
  const life = fc.record({
    lifeMs: fc.integer({ min: 1_000, max: 90_000 }),
    setByMs: fc.constantFrom(0, 0, -30_000, -3_600_000, 30_000, 3_600_000),
    isMachineStarted: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(arrival, { minLength: 10, maxLength: 40 }),
      fc.array(life, { minLength: 1, maxLength: 4 }),
      async (limit, arrivals, lives) => {
        await database.db.deleteFrom('quota_slot').execute();
        const startedAtMs = performance.now();
        const log: LoggedCall[] = [];
        const last = { lifeMs: 300_000, setByMs: 0, isMachineStarted: false };
        for (const { lifeMs, setByMs, isMachineStarted } of [...lives, last]) {
          const bornMs = performance.now() - startedAtMs;
          const limiter = start();
          const caller = createCallRecorder();
          arrivals.forEach(({ atMs, latencyMs, ...slot }, i) => {
            if (atMs < bornMs - 30_000 || atMs >= bornMs + lifeMs) return;
            const call = caller.call(`${i}`, latencyMs);
            setTimeout(() => void schedule(limiter, { ...slot, limit }, call), Math.max(0, atMs - bornMs));
          });
          await vi.advanceTimersByTimeAsync(lifeMs);
          kill();
          void limiter.close();
          // Calls in flight at the kill have arrived by then, or never will.
          const killedAtMs = performance.now();
          log.push(
            ...caller.log.map((call) => ({ ...call, answeredAtMs: Math.min(call.answeredAtMs, killedAtMs) })),
          );
          vi.setSystemTime(Date.now() + setByMs);
          if (isMachineStarted) bootedAtSeconds = performance.now() / 1_000;
        }
        expect(maxCallsInWindow(log, windowMs)).toBeLessThanOrEqual(limit);
      },
    ),
    { numRuns: 40 },
  );
});

test('a pause continues after a restart, and gets neither shorter by another nor longer if the clock was set back', async () => {
  const first = start();
  await first.pause(fingerprint, 50_000);
  await first.pause(fingerprint, 1_000);
  kill();
  vi.setSystemTime(Date.now() - 3_600_000);
  const { names, call } = createCallRecorder();
  const second = start();
  void schedule(second, {}, call('paused'));
  await vi.advanceTimersByTimeAsync(49_000);
  expect(names()).toEqual([]);
  expect((await second.usage(fingerprint)).wait.people.reason).toBe('pause');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(names()).toEqual(['paused']);
});

test('a row that cannot be read counts as in use for as long as a call can, and is named', async () => {
  const insert = (id: string, lane: string, freeAt: string) =>
    sql`insert into quota_slot values (${id}, ${fingerprint}, ${lane}, '', 0, ${freeAt}, 9e15)`.execute(
      database.db,
    );
  await insert('with a strange lane', 'express', `${Date.now() + 1_000}`);
  await insert('with a strange time', 'people', 'tomorrow');
  await insert('of next year', 'people', `${Date.now() + 31_536_000_000}`);
  const { names, call } = createCallRecorder();
  const limiter = start();
  for (const caller of ['a', 'b']) void schedule(limiter, { caller, limit: 4 }, call(caller));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(names()).toEqual(['a']);
  for (const id of ['with a strange lane', 'with a strange time', 'of next year'])
    expect(logger.warn).toHaveBeenCalledWith({ id }, expect.stringContaining('cannot be read'));
  void schedule(limiter, { caller: 'c', limit: 4 }, call('c'));
  await vi.advanceTimersByTimeAsync(expirationMs + 1_000);
  expect(names()).toEqual(['a', 'b', 'c']);
  expect(logger.warn).toHaveBeenCalledTimes(3);
});

test('rows are deleted when they no longer count, and those of calls that were not sent at once', async () => {
  const limiter = start();
  const { call } = createCallRecorder();
  for (let i = 0; i < 10; i += 1) {
    void schedule(limiter, { limit: 50 }, call('read'));
    await vi.advanceTimersByTimeAsync(windowMs / 2);
  }
  expect(await countRows()).toBeLessThanOrEqual(3);
  const rowCount = await countRows();
  const beforeSend = () => Promise.reject(new Error('no longer allowed'));
  const refused = schedule(limiter, { limit: 50, beforeSend }, call('refused'));
  await vi.advanceTimersByTimeAsync(100);
  expect(await refused).toMatchObject({ message: 'no longer allowed' });
  expect(await countRows()).toBeLessThanOrEqual(rowCount);
});

test('people who wait in one process go before the background of another', async () => {
  const sharedClock = { sqlNow: () => sql<number>`cast(${Date.now()} as bigint)`, async lock() {} };
  const [withPeople, withReports] = [0, 1].map(() =>
    createRateLimiter({ callTimeoutMs, logger, table: { db: database.db, sharedClock } }),
  ) as [RateLimiter, RateLimiter];
  const { names, call } = createCallRecorder();
  const add = (limiter: RateLimiter, lane: Lane, caller: string) =>
    void schedule(limiter, { lane, caller, limit: 2 }, call(lane));
  for (const caller of ['a', 'b']) add(withPeople, 'people', caller);
  await vi.advanceTimersByTimeAsync(1_000);
  add(withReports, 'background', 'report');
  for (const caller of ['c', 'd', 'e', 'f']) add(withPeople, 'people', caller);
  await vi.advanceTimersByTimeAsync(4 * holdMs);
  expect(names()).toEqual([...new Array(6).fill('people'), 'background']);
});

test('a call that had its slot for too long asks again, and waits again if it is lost', async () => {
  const { names, call } = createCallRecorder();
  const limiter = start();
  const beforeSend = vi
    .fn<() => Promise<void>>()
    .mockResolvedValue()
    .mockImplementationOnce(() => new Promise((resolve) => setTimeout(resolve, 16_000)));
  void schedule(limiter, { beforeSend }, call('frozen'));
  await vi.advanceTimersByTimeAsync(1_000);
  void schedule(limiter, { caller: 'later' }, call('later'));
  // Its slot has expired, and another process has taken it.
  await database.db.updateTable('quota_slot').set({ id: 'of another process' }).execute();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(names()).toEqual([]);
  expect(logger.warn).toHaveBeenCalledWith({}, 'a call lost its slot before it was sent');
  await vi.advanceTimersByTimeAsync(2 * expirationMs);
  expect(names().toSorted()).toEqual(['frozen', 'later']);
  expect(beforeSend).toHaveBeenCalledTimes(2);
  await limiter.close();
});

test('while the table fails, nothing is sent, and nobody waits for ever', async () => {
  const limiter = start();
  const { names, call } = createCallRecorder();
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(database.db);
  await rename('quota_slot', 'away');
  const reasons: string[] = [];
  const onQueued = (_waitMs: number, reason: string) => void reasons.push(reason);
  const late = schedule(limiter, { caller: 'a', notAfterMs: Date.now() + 5_000 }, call('late'));
  const back = schedule(limiter, { caller: 'b', onQueued }, call('back'));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await late).toMatchObject({ message: expect.stringMatching(/can't reach its database/) });
  expect(new Set(reasons)).toEqual(new Set(['unreachable']));
  expect(names()).toEqual([]);
  expect((await limiter.usage(fingerprint)).wait.people.reason).toBe('unreachable');
  await rename('away', 'quota_slot');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await back).toBe('back');
  expect(logger.warn).toHaveBeenCalledOnce();

  await rename('quota_slot', 'away');
  const hopeless = schedule(limiter, { limit: 5 }, call('hopeless'));
  await vi.advanceTimersByTimeAsync(65_000);
  expect(await hopeless).toMatchObject({ message: expect.stringMatching(/no such table/) });
  await limiter.close();
});
