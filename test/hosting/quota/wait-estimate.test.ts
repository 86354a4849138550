import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createRateLimiter,
  type Lane,
  type RateLimiter,
  type WaitReason,
} from '../../../src/hosting/quota/rate-limiter.ts';

const windowMs = 60_000;
const holdMs = 60_250;
const callTimeoutMs = 10_000;
const fingerprint = 'a key';

let limiter: RateLimiter;

beforeEach(() => {
  vi.useFakeTimers();
  limiter = createRateLimiter({ callTimeoutMs });
});

afterEach(async () => {
  await limiter.close();
  vi.useRealTimers();
});

/** Makes a call and returns when it was expected to begin, and when it began, both since the request. */
function observe(lane: Lane, limit: number, caller = '') {
  const askedAtMs = performance.now();
  const seen = { expectedMs: [] as number[], reasons: [] as WaitReason[], waitedMs: Number.NaN };
  const onQueued = (waitMs: number, reason: WaitReason) => {
    seen.expectedMs.push(performance.now() - askedAtMs + waitMs);
    seen.reasons.push(reason);
  };
  const call = async () => {
    seen.waitedMs = performance.now() - askedAtMs;
  };
  void limiter.schedule({ fingerprint, lane, caller, limit, onQueued }, call).catch(() => undefined);
  return seen;
}

test('a call that has a slot at once is told nothing, and one that waits is told how long and why', async () => {
  const first = [observe('people', 2, 'alice'), observe('background', 2)];
  await vi.advanceTimersByTimeAsync(20_000);
  const seen = observe('people', 2, 'bob');
  await vi.advanceTimersByTimeAsync(100);
  expect(first.map(({ expectedMs }) => expectedMs)).toEqual([[], []]);
  expect(seen).toMatchObject({ expectedMs: [expect.any(Number)], reasons: ['quota'], waitedMs: Number.NaN });
  await vi.advanceTimersByTimeAsync(windowMs);
  expect(Math.abs((seen.expectedMs[0] ?? 0) - seen.waitedMs)).toBeLessThan(50);
});

test("a call whose caller's share is used up is told that, and others don't wait", async () => {
  for (let i = 0; i < 40; i += 1) observe('people', 50, 'alice');
  await vi.advanceTimersByTimeAsync(1_000);
  const seen = observe('people', 50, 'alice');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen.reasons).toEqual(['caller']);
  expect(await limiter.usage(fingerprint, 50, 'alice')).toMatchObject({
    ownPeople: { used: 40, limit: 40 },
    wait: { people: { reason: 'caller' } },
  });
  expect(await limiter.usage(fingerprint, 50, 'bob')).toMatchObject({
    ownPeople: { used: 0 },
    wait: { people: { waitMs: 0 } },
  });
});

test.each([
  { callers: 'of one call each', callerCount: 30, minMs: -250 },
  // A person whose share is used up lets others go first, which an estimate doesn't foresee.
  { callers: 'of many calls', callerCount: 3, minMs: Number.NEGATIVE_INFINITY },
])(
  'a call is not sent later than estimated, whatever the queue of callers $callers',
  async ({ callerCount, minMs }) => {
    const queued = fc.record({
      lane: fc.constantFrom<Lane>('background', 'people'),
      caller: fc.integer({ min: 1, max: callerCount }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.uniqueArray(queued, {
          minLength: 1,
          maxLength: 30,
          comparator: (a, b) => callerCount === 30 && a.caller === b.caller,
        }),
        fc.integer({ min: 200, max: 50_000 }),
        async (limit, calls, laterMs) => {
          limiter = createRateLimiter({ callTimeoutMs });
          for (const { lane, caller } of calls) observe(lane, limit, `${caller}`);
          await vi.advanceTimersByTimeAsync(laterMs);
          // The call of a new person is last, so that no later call overtakes it.
          const seen = observe('people', limit, 'last');
          await vi.advanceTimersByTimeAsync(40 * holdMs);
          expect(seen.waitedMs).not.toBeNaN();
          const lateMs = seen.waitedMs - (seen.expectedMs[0] ?? 0);
          expect(lateMs).toBeLessThan(250);
          expect(lateMs).toBeGreaterThan(minMs);
          await limiter.close();
        },
      ),
      { numRuns: 50 },
    );
  },
);

test('onQueued is called again when a pause makes the wait longer, and when a second one does', async () => {
  observe('people', 1);
  await vi.advanceTimersByTimeAsync(20_000);
  const seen = observe('people', 1);
  await vi.advanceTimersByTimeAsync(1_000);
  await limiter.pause(fingerprint, 2 * windowMs);
  await limiter.pause(fingerprint, 2 * windowMs + 500);
  await vi.advanceTimersByTimeAsync(1_000);
  await limiter.pause(fingerprint, 3 * windowMs);
  await vi.advanceTimersByTimeAsync(4 * windowMs);
  expect(seen.reasons).toEqual(['quota', 'pause', 'pause']);
  expect(Math.abs((seen.expectedMs[2] ?? 0) - seen.waitedMs)).toBeLessThan(50);
});

test('usage reports the slots in use, waiting calls and waits', async () => {
  expect(await limiter.usage(fingerprint, 10)).toMatchObject({
    limit: 10,
    backgroundLimit: 8,
    reportLimit: 7,
    holdMs,
    used: { people: 0, background: 0 },
    ownPeople: { used: 0, limit: 8 },
    waiting: { people: 0, background: 0 },
    wait: { people: { waitMs: 0 }, background: { waitMs: 0 } },
  });
  for (let i = 0; i < 12; i += 1) observe('background', 10, `${i}`);
  observe('people', 10);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await limiter.usage(fingerprint, 10)).toMatchObject({
    used: { people: 1, background: 8 },
    waiting: { people: 0, background: 4 },
    wait: { people: { waitMs: 0 }, background: { waitMs: expect.closeTo(holdMs - 20_000, -2) } },
  });
  await vi.advanceTimersByTimeAsync(2 * holdMs);
  expect(await limiter.usage(fingerprint, 10)).toMatchObject({ used: { people: 0, background: 0 } });
});
