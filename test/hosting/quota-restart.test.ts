import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CallJournal, createQuota, type Lane } from '../../src/hosting/quota/quota.ts';
import { createCaller, createMemoryJournal, type LoggedCall, worstWindow } from './quota-calls.ts';

const windowMs = 60_000;
const marginMs = 250;
const callTimeoutMs = 10_000;
const key = 'a key';
const people = { key, lane: 'people' } as const;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A journal of a process that can be killed: after that nothing is written, so that nothing leaves either. */
function killable(journal: CallJournal) {
  let isKilled = false;
  const never = new Promise<never>(() => undefined);
  return {
    kill() {
      isKilled = true;
    },
    journal: {
      ...journal,
      leaving: (call) => (isKilled ? never : journal.leaving(call)),
      answered: (callId, atMs) => (isKilled ? never : journal.answered(callId, atMs)),
    } satisfies CallJournal,
  };
}

test('the slots of the last window are taken again after a restart', async () => {
  const journal = createMemoryJournal();
  const first = await createQuota({ callTimeoutMs, journal });
  const { log, names, call } = createCaller();
  const before = [1, 2, 3].map(() => first.run({ ...people, limit: 3 }, call('before')));
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(before);
  await first.close();

  await vi.advanceTimersByTimeAsync(20_000);
  const second = await createQuota({ callTimeoutMs, journal });
  const after = [1, 2, 3].map(() => second.run({ ...people, limit: 3 }, call('after')));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(names()).toEqual(['before', 'before', 'before']);
  await vi.advanceTimersByTimeAsync(15_000);
  await Promise.all(after);
  expect(worstWindow(log, windowMs)).toBe(3);
  // The calls of before are over, so nothing waits for longer than they count.
  expect(log[3]?.leftAtMs).toBeLessThan((log[2]?.answeredAtMs ?? 0) + windowMs + marginMs + 50);
  await second.close();
});

test('the background lane keeps its calls of before a restart, and people their room', async () => {
  const journal = createMemoryJournal();
  const first = await createQuota({ callTimeoutMs, journal });
  const { names, call } = createCaller();
  const before = Array.from({ length: 8 }, () =>
    first.run({ key, lane: 'background', limit: 10 }, call('report')),
  );
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(before);
  await first.close();

  const second = await createQuota({ callTimeoutMs, journal });
  const report = second.run({ key, lane: 'background', limit: 10 }, call('another report'));
  await vi.advanceTimersByTimeAsync(1_000);
  const persons = [1, 2].map(() => second.run({ ...people, limit: 10 }, call('person')));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await Promise.all(persons)).toEqual(['person', 'person']);
  expect(names()).not.toContain('another report');
  await vi.advanceTimersByTimeAsync(windowMs + 1_000);
  expect(await report).toBe('another report');
  await second.close();
});

test('a call without a recorded answer counts as answered at the first restart, and not again at the next', async () => {
  const journal = createMemoryJournal();
  const callId = 'unanswered';
  await journal.leaving({ key, callId, lane: 'people', leftAtMs: Date.now() });
  await vi.advanceTimersByTimeAsync(5_000);
  const restartedAtMs = Date.now();
  const first = await createQuota({ callTimeoutMs, journal });
  await first.close();
  expect(journal.calls.get(callId)?.answeredAtMs).toBe(restartedAtMs);

  await vi.advanceTimersByTimeAsync(40_000);
  const second = await createQuota({ callTimeoutMs, journal });
  const { log, call } = createCaller();
  const answer = second.run({ ...people, limit: 1 }, call('next'));
  await vi.advanceTimersByTimeAsync(windowMs);
  expect(await answer).toBe('next');
  const leftAtMs = log[0]?.leftAtMs ?? 0;
  expect(leftAtMs).toBeGreaterThanOrEqual(restartedAtMs + windowMs + marginMs);
  expect(leftAtMs).toBeLessThan(restartedAtMs + windowMs + marginMs + 50);
  await second.close();
});

test.each([3_600_000, 30_000, 1_000])(
  'a clock that went back by %d ms frees no slot early and holds none for longer than a hold',
  async (backMs) => {
    const journal = createMemoryJournal();
    const first = await createQuota({ callTimeoutMs, journal });
    const { call } = createCaller();
    const before = first.run({ ...people, limit: 1 }, call('before'));
    await vi.advanceTimersByTimeAsync(1_000);
    await before;
    await first.close();

    vi.setSystemTime(Date.now() - backMs);
    const restartedAtMs = performance.now();
    const second = await createQuota({ callTimeoutMs, journal });
    let leftAfterMs = 0;
    const after = second.run({ ...people, limit: 1 }, async () => {
      leftAfterMs = performance.now() - restartedAtMs;
    });
    await vi.advanceTimersByTimeAsync(2 * windowMs);
    await after;
    // The call of before was answered at most 900 ms before the restart.
    expect(leftAfterMs).toBeGreaterThanOrEqual(windowMs + marginMs - 900);
    expect(leftAfterMs).toBeLessThan(windowMs + marginMs + 50);
    await second.close();
  },
);

test('a call that cannot be recorded does not leave, costs no slot, and its caller hears why', async () => {
  const journal = createMemoryJournal();
  const failure = new Error('disk full');
  const leaving = vi.spyOn(journal, 'leaving').mockRejectedValueOnce(failure);
  const quota = await createQuota({ callTimeoutMs, journal });
  const { names, call } = createCaller();
  const refused = quota.run({ ...people, limit: 1 }, call('unrecorded')).catch((error: unknown) => error);
  const next = quota.run({ ...people, limit: 1 }, call('next'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await refused).toBe(failure);
  expect(await next).toBe('next');
  expect(names()).toEqual(['next']);
  expect(leaving).toHaveBeenCalledTimes(2);
  await quota.close();
});

test('the journal does not keep what no longer counts', async () => {
  const journal = createMemoryJournal();
  const quota = await createQuota({ callTimeoutMs, journal });
  const { call } = createCaller();
  for (let i = 0; i < 20; i += 1) {
    void quota.run(people, call('read'));
    await vi.advanceTimersByTimeAsync(windowMs / 2);
  }
  expect(journal.calls.size).toBeLessThanOrEqual(6);
  await quota.close();
});

test('no window sees more than the quota, whenever the process is killed and started again', async () => {
  const arrival = fc.record({
    atMs: fc.integer({ min: 0, max: 300_000 }),
    lane: fc.constantFrom<Lane>('people', 'background'),
    latencyMs: fc.integer({ min: 0, max: callTimeoutMs - 1 }),
  });
  const life = fc.integer({ min: 1_000, max: 90_000 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(arrival, { minLength: 10, maxLength: 40 }),
      fc.array(life, { minLength: 1, maxLength: 4 }),
      async (limit, arrivals, lives) => {
        const journal = createMemoryJournal();
        const startMs = Date.now();
        const log: LoggedCall[] = [];
        for (const lifeMs of [...lives, 300_000]) {
          const bornMs = Date.now();
          const process = killable(journal);
          const quota = await createQuota({ callTimeoutMs, journal: process.journal });
          const caller = createCaller();
          arrivals.forEach(({ atMs, lane, latencyMs }, i) => {
            const dueMs = Math.max(0, startMs + atMs - bornMs);
            if (dueMs >= lifeMs || startMs + atMs < bornMs - 30_000) return;
            const slot = { key, lane, limit };
            setTimeout(
              () => void quota.run(slot, caller.call(`${i}`, latencyMs)).catch(() => undefined),
              dueMs,
            );
          });
          await vi.advanceTimersByTimeAsync(lifeMs);
          process.kill();
          // What was under way when the process died has arrived by then, or never will.
          const killedMs = Date.now();
          const answeredAtMs = (call: LoggedCall) => Math.min(call.answeredAtMs, killedMs);
          log.push(...caller.log.map((call) => ({ ...call, answeredAtMs: answeredAtMs(call) })));
        }
        expect(worstWindow(log, windowMs)).toBeLessThanOrEqual(limit);
        vi.clearAllTimers();
      },
    ),
    { numRuns: 100 },
  );
});
