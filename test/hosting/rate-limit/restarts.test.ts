import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type CallJournal,
  createRateLimiter,
  type Lane,
} from '../../../src/hosting/rate-limit/rate-limiter.ts';
import {
  createCallRecorder,
  createMemoryJournal,
  type LoggedCall,
  maxCallsInWindow,
} from './call-recorder.ts';

const windowMs = 60_000;
const marginMs = 250;
const callTimeoutMs = 10_000;
const fingerprint = 'a key';
const people = { fingerprint, lane: 'people' } as const;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/**
 * A journal of a process that can be killed. Afterwards nothing is written, so that nothing is sent
 * either.
 */
function killable(journal: CallJournal) {
  let isKilled = false;
  const never = new Promise<never>(() => undefined);
  return {
    kill() {
      isKilled = true;
    },
    journal: {
      ...journal,
      recordSent: (call) => (isKilled ? never : journal.recordSent(call)),
      recordAnswered: (callId, atMs) => (isKilled ? never : journal.recordAnswered(callId, atMs)),
    } satisfies CallJournal,
  };
}

test('slots of the last window stay occupied after a restart', async () => {
  const journal = createMemoryJournal();
  const first = await createRateLimiter({ callTimeoutMs, journal });
  const { log, names, call } = createCallRecorder();
  const before = [1, 2, 3].map(() => first.schedule({ ...people, limit: 3 }, call('before')));
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(before);
  await first.close();

  await vi.advanceTimersByTimeAsync(20_000);
  const second = await createRateLimiter({ callTimeoutMs, journal });
  const after = [1, 2, 3].map(() => second.schedule({ ...people, limit: 3 }, call('after')));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(names()).toEqual(['before', 'before', 'before']);
  await vi.advanceTimersByTimeAsync(15_000);
  await Promise.all(after);
  expect(maxCallsInWindow(log, windowMs)).toBe(3);
  // The earlier calls have ended, so that new calls wait at most for their hold.
  expect(log[3]?.sentAtMs).toBeLessThan((log[2]?.answeredAtMs ?? 0) + windowMs + marginMs + 50);
  await second.close();
});

test('the background lane includes its calls from before a restart, and people have free slots', async () => {
  const journal = createMemoryJournal();
  const first = await createRateLimiter({ callTimeoutMs, journal });
  const { names, call } = createCallRecorder();
  const before = Array.from({ length: 8 }, () =>
    first.schedule({ fingerprint, lane: 'background', limit: 10 }, call('report')),
  );
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(before);
  await first.close();

  const second = await createRateLimiter({ callTimeoutMs, journal });
  const report = second.schedule({ fingerprint, lane: 'background', limit: 10 }, call('another report'));
  await vi.advanceTimersByTimeAsync(1_000);
  const persons = [1, 2].map(() => second.schedule({ ...people, limit: 10 }, call('person')));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await Promise.all(persons)).toEqual(['person', 'person']);
  expect(names()).not.toContain('another report');
  await vi.advanceTimersByTimeAsync(windowMs + 1_000);
  expect(await report).toBe('another report');
  await second.close();
});

test('a call without a recorded response counts as answered at the first restart, not again at the next', async () => {
  const journal = createMemoryJournal();
  const callId = 'unanswered';
  await journal.recordSent({ fingerprint, callId, lane: 'people', sentAtMs: Date.now() });
  await vi.advanceTimersByTimeAsync(5_000);
  const restartedAtMs = Date.now();
  const first = await createRateLimiter({ callTimeoutMs, journal });
  await first.close();
  expect(journal.calls.get(callId)?.answeredAtMs).toBe(restartedAtMs);

  await vi.advanceTimersByTimeAsync(40_000);
  const second = await createRateLimiter({ callTimeoutMs, journal });
  const { log, call } = createCallRecorder();
  const answer = second.schedule({ ...people, limit: 1 }, call('next'));
  await vi.advanceTimersByTimeAsync(windowMs);
  expect(await answer).toBe('next');
  const sentAtMs = log[0]?.sentAtMs ?? 0;
  expect(sentAtMs).toBeGreaterThanOrEqual(restartedAtMs + windowMs + marginMs);
  expect(sentAtMs).toBeLessThan(restartedAtMs + windowMs + marginMs + 50);
  await second.close();
});

test.each([3_600_000, 30_000, 1_000])(
  'a clock that went back by %d ms frees no slot early and keeps none longer than a hold',
  async (backMs) => {
    const journal = createMemoryJournal();
    const first = await createRateLimiter({ callTimeoutMs, journal });
    const { call } = createCallRecorder();
    const before = first.schedule({ ...people, limit: 1 }, call('before'));
    await vi.advanceTimersByTimeAsync(1_000);
    await before;
    await first.close();

    vi.setSystemTime(Date.now() - backMs);
    const restartedAtMs = performance.now();
    const second = await createRateLimiter({ callTimeoutMs, journal });
    let leftAfterMs = 0;
    const after = second.schedule({ ...people, limit: 1 }, async () => {
      leftAfterMs = performance.now() - restartedAtMs;
    });
    await vi.advanceTimersByTimeAsync(2 * windowMs);
    await after;
    // The earlier call was answered at most 900 ms before the restart.
    expect(leftAfterMs).toBeGreaterThanOrEqual(windowMs + marginMs - 900);
    expect(leftAfterMs).toBeLessThan(windowMs + marginMs + 50);
    await second.close();
  },
);

test('a call that cannot be recorded is not sent, uses no slot, and rejects with the reason', async () => {
  const journal = createMemoryJournal();
  const failure = new Error('disk full');
  const recordSent = vi.spyOn(journal, 'recordSent').mockRejectedValueOnce(failure);
  const limiter = await createRateLimiter({ callTimeoutMs, journal });
  const { names, call } = createCallRecorder();
  const refused = limiter
    .schedule({ ...people, limit: 1 }, call('unrecorded'))
    .catch((error: unknown) => error);
  const next = limiter.schedule({ ...people, limit: 1 }, call('next'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await refused).toBe(failure);
  expect(await next).toBe('next');
  expect(names()).toEqual(['next']);
  expect(recordSent).toHaveBeenCalledTimes(2);
  await limiter.close();
});

test('a call that left late because its process was frozen still counts after a restart', async () => {
  const journal = createMemoryJournal();
  const frozen = killable(journal);
  const limiter = await createRateLimiter({ callTimeoutMs, journal: frozen.journal });
  const log = createCallRecorder();
  const beforeSend = () => new Promise<void>((resolve) => setTimeout(resolve, callTimeoutMs - 1));
  const slot = { ...people, limit: 1 };
  void limiter.schedule({ ...slot, beforeSend }, log.call('late', callTimeoutMs)).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(callTimeoutMs);
  expect(log.names()).toEqual(['late']);
  frozen.kill();
  await vi.advanceTimersByTimeAsync(windowMs + 5_000);
  const next = await createRateLimiter({ callTimeoutMs, journal });
  void next.schedule(slot, log.call('next'));
  await vi.advanceTimersByTimeAsync(1);
  expect(log.names()).toEqual(['late']);
  await vi.advanceTimersByTimeAsync(windowMs + 2 * callTimeoutMs);
  expect(log.names()).toEqual(['late', 'next']);
  await next.close();
});

test('a call leaves although each write of the journal takes longer than it may wait for its slot', async () => {
  const journal = createMemoryJournal();
  const slow: CallJournal = {
    ...journal,
    async recordSent(call) {
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      await journal.recordSent(call);
    },
  };
  const limiter = await createRateLimiter({ callTimeoutMs, journal: slow });
  const { names, call } = createCallRecorder();
  const beforeSend = () => new Promise<void>((resolve) => setTimeout(resolve, 5_000));
  const sent = limiter.schedule({ ...people, limit: 1, beforeSend }, call('slow'));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(names()).toEqual(['slow']);
  await sent;
  await limiter.close();
});

test('a call that was not sent gives its slot back, also after a restart', async () => {
  const journal = createMemoryJournal();
  const limiter = await createRateLimiter({ callTimeoutMs, journal });
  const beforeSend = () => Promise.reject(new Error('no longer allowed'));
  const slot = { ...people, limit: 1 };
  const refused = limiter
    .schedule({ ...slot, beforeSend }, async () => 'never')
    .catch((error) => String(error));
  expect(await refused).toBe('Error: no longer allowed');
  expect(await limiter.schedule(slot, async () => 'next')).toBe('next');
  expect(journal.calls.size).toBe(1);
  await limiter.close();
});

test('the journal deletes calls that no longer count', async () => {
  const journal = createMemoryJournal();
  const limiter = await createRateLimiter({ callTimeoutMs, journal });
  const { call } = createCallRecorder();
  for (let i = 0; i < 20; i += 1) {
    void limiter.schedule(people, call('read'));
    await vi.advanceTimersByTimeAsync(windowMs / 2);
  }
  expect(journal.calls.size).toBeLessThanOrEqual(6);
  await limiter.close();
});

test('no window exceeds the quota, whenever the process is killed and restarted', async () => {
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
          const limiter = await createRateLimiter({ callTimeoutMs, journal: process.journal });
          const caller = createCallRecorder();
          arrivals.forEach(({ atMs, lane, latencyMs }, i) => {
            const dueMs = Math.max(0, startMs + atMs - bornMs);
            if (dueMs >= lifeMs || startMs + atMs < bornMs - 30_000) return;
            const slot = { fingerprint, lane, limit };
            setTimeout(
              () => void limiter.schedule(slot, caller.call(`${i}`, latencyMs)).catch(() => undefined),
              dueMs,
            );
          });
          await vi.advanceTimersByTimeAsync(lifeMs);
          process.kill();
          // Calls in flight at the kill have arrived by then, or never will.
          const killedMs = Date.now();
          const answeredAtMs = (call: LoggedCall) => Math.min(call.answeredAtMs, killedMs);
          log.push(...caller.log.map((call) => ({ ...call, answeredAtMs: answeredAtMs(call) })));
        }
        expect(maxCallsInWindow(log, windowMs)).toBeLessThanOrEqual(limit);
        vi.clearAllTimers();
      },
    ),
    { numRuns: 100 },
  );
});
