import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createRateLimiter,
  type Lane,
  type RateLimiter,
} from '../../../src/hosting/rate-limit/rate-limiter.ts';
import { createWaitReport } from '../../../src/hosting/rate-limit/wait-estimate.ts';
import { createMemoryJournal } from './call-recorder.ts';

const windowMs = 60_000;
const holdMs = 60_250;
const callTimeoutMs = 10_000;
const fingerprint = 'a key';

let limiter: RateLimiter;

beforeEach(async () => {
  vi.useFakeTimers();
  limiter = await createRateLimiter({ callTimeoutMs });
});

afterEach(async () => {
  await limiter.close();
  vi.useRealTimers();
});

/** Makes a call and returns its estimate and its real wait. */
function observe(lane: Lane, limit: number, latencyMs = 0, line = '') {
  const askedAtMs = Date.now();
  const seen = { told: [] as number[], waitedMs: Number.NaN };
  const slot = { fingerprint, lane, line, limit, onQueued: (waitMs: number) => seen.told.push(waitMs) };
  const call = async () => {
    seen.waitedMs = Date.now() - askedAtMs;
    await new Promise((resolve) => setTimeout(resolve, latencyMs));
  };
  void limiter.schedule(slot, call).catch(() => undefined);
  return seen;
}

test('onQueued is not called without a wait', async () => {
  const seen = [observe('people', 2), observe('background', 2)];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen.map(({ told }) => told)).toEqual([[], []]);
  expect(seen.every(({ waitedMs }) => waitedMs <= 10)).toBe(true);
});

test('onQueued gets the wait before the call waits', async () => {
  observe('people', 1);
  await vi.advanceTimersByTimeAsync(20_000);
  const seen = observe('people', 1);
  await vi.advanceTimersByTimeAsync(0);
  expect(seen.told).toHaveLength(1);
  expect(seen.waitedMs).toBeNaN();
  await vi.advanceTimersByTimeAsync(windowMs);
  expect(Math.abs((seen.told[0] ?? 0) - seen.waitedMs)).toBeLessThan(50);
});

test('an estimate is accurate within the duration of a call, whatever the queue', async () => {
  const line = fc.array(fc.constantFrom<Lane>('people', 'background'), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      line,
      fc.integer({ min: 20, max: 50_000 }),
      async (limit, lanes, laterMs) => {
        limiter = await createRateLimiter({ callTimeoutMs });
        const backgroundFirst = lanes.toSorted();
        const seen = backgroundFirst.map((lane) => observe(lane, limit));
        await vi.advanceTimersByTimeAsync(laterMs);
        // A person's call is last, so that no later call overtakes it.
        seen.push(observe('people', limit));
        await vi.advanceTimersByTimeAsync(40 * holdMs);
        for (const { told, waitedMs } of seen.slice(-1)) {
          expect(waitedMs).not.toBeNaN();
          expect(Math.abs((told[0] ?? 0) - waitedMs)).toBeLessThan(200);
        }
        await limiter.close();
      },
    ),
    { numRuns: 200 },
  );
});

test("onQueued is called for a person's call while a report gets the last slot", async () => {
  observe('people', 2);
  observe('background', 2);
  await vi.advanceTimersByTimeAsync(2);
  const seen = observe('people', 2);
  await vi.advanceTimersByTimeAsync(2 * windowMs);
  expect(seen.waitedMs).toBeGreaterThan(windowMs);
  expect(Math.abs((seen.told[0] ?? 0) - seen.waitedMs)).toBeLessThan(50);
});

test("the estimate of a background call includes people's calls and its own lane", async () => {
  for (let i = 0; i < 10; i += 1) observe('people', 10);
  await vi.advanceTimersByTimeAsync(1_000);
  for (let i = 0; i < 5; i += 1) observe('people', 10);
  const reports = Array.from({ length: 14 }, () => observe('background', 10));
  await vi.advanceTimersByTimeAsync(6 * holdMs);
  for (const { told, waitedMs } of reports) expect(Math.abs((told[0] ?? 0) - waitedMs)).toBeLessThan(200);
  // People get five of the first ten free slots. The next cycle sends eight calls, and the third
  // the rest.
  const cycles = reports.map(({ waitedMs }) => Math.floor(waitedMs / (holdMs - 1_500)));
  expect(cycles).toEqual([...new Array(5).fill(1), ...new Array(8).fill(2), 3]);
});

test('the estimate of a background call includes the calls of other lines', async () => {
  const reports = Array.from({ length: 20 }, (_, report) => observe('background', 10, 0, `report ${report}`));
  await vi.advanceTimersByTimeAsync(4 * holdMs);
  for (const { told, waitedMs } of reports) expect(Math.abs((told[0] ?? 0) - waitedMs)).toBeLessThan(200);
  const cycles = reports.map(({ waitedMs }) => Math.floor(waitedMs / (holdMs - 1_500)));
  expect(cycles).toEqual([...new Array(8).fill(0), ...new Array(8).fill(1), ...new Array(4).fill(2)]);
});

test('onQueued is called again when a pause makes the wait longer', async () => {
  observe('people', 1);
  await vi.advanceTimersByTimeAsync(20_000);
  const seen = observe('people', 1);
  await vi.advanceTimersByTimeAsync(1_000);
  await limiter.pause(fingerprint, Date.now() + 2 * windowMs);
  await vi.advanceTimersByTimeAsync(3 * windowMs);
  expect(seen.told).toHaveLength(2);
  const [first = 0, second = 0] = seen.told;
  expect(first).toBeGreaterThan(40_000);
  expect(first).toBeLessThan(40_300);
  // Called when the call had its slot and met the pause.
  expect(second).toBeGreaterThan(2 * windowMs - 40_000);
  expect(seen.waitedMs).toBeGreaterThan(2 * windowMs);
});

test('onQueued is called again when a second pause is longer', async () => {
  await limiter.pause(fingerprint, Date.now() + 5_000);
  const seen = observe('people', 1);
  await vi.advanceTimersByTimeAsync(1_000);
  await limiter.pause(fingerprint, Date.now() + 600_000);
  await vi.advanceTimersByTimeAsync(700_000);
  const [first = 0, second = 0, ...more] = seen.told;
  expect(more).toEqual([]);
  expect(first).toBe(5_000);
  expect(Math.abs(5_000 + second - seen.waitedMs)).toBeLessThan(50);
});

test('a throwing onQueued is logged and does not prevent the call', async () => {
  await limiter.close();
  const logger = { warn: vi.fn() };
  limiter = await createRateLimiter({ callTimeoutMs, logger });
  observe('people', 1);
  await vi.advanceTimersByTimeAsync(1_000);
  const onQueued = () => {
    throw new Error('the message could not be edited');
  };
  const answer = limiter.schedule({ fingerprint, lane: 'people', limit: 1, onQueued }, async () => 'made');
  await vi.advanceTimersByTimeAsync(2 * windowMs);
  expect(await answer).toBe('made');
  const error = expect.objectContaining({ message: 'the message could not be edited' });
  expect(logger.warn).toHaveBeenCalledWith({ error }, 'an estimate of the wait was not delivered');
});

test('usage reports held slots, waiting calls and waits', async () => {
  expect(await limiter.usage(fingerprint, 10)).toEqual({
    limit: 10,
    backgroundLimit: 8,
    backgroundLineLimit: 7,
    holdMs,
    used: { people: 0, background: 0 },
    ownPeople: { used: 0, limit: 6 },
    waiting: { people: 0, background: 0 },
    waitMs: { people: 0, background: 0 },
    waitReason: { people: 'pause', background: 'pause' },
  });
  for (let i = 0; i < 12; i += 1) observe('background', 10);
  observe('people', 10);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await limiter.usage(fingerprint, 10)).toMatchObject({
    used: { people: 1, background: 8 },
    waiting: { people: 0, background: 4 },
    waitMs: { people: 0, background: expect.closeTo(holdMs - 20_000, -2) },
  });
  await vi.advanceTimersByTimeAsync(2 * holdMs);
  expect(await limiter.usage(fingerprint, 10)).toMatchObject({ used: { people: 0, background: 0 } });
});

test('usage includes the calls from before a restart', async () => {
  const journal = createMemoryJournal();
  await journal.recordSent({ fingerprint, callId: 'before', lane: 'people', sentAtMs: Date.now() });
  const restarted = await createRateLimiter({ callTimeoutMs, journal });
  expect(await restarted.usage(fingerprint, 1)).toMatchObject({
    used: { people: 1 },
    waitMs: { people: holdMs },
  });
  await restarted.close();
});

test('a wait is reported once, and again after a change, but not while the estimate is zero', async () => {
  const waits = [0, 5_000, 4_000, 6_000, 0, 3_000];
  const told: number[] = [];
  let isWaiting = true;
  const report = createWaitReport({
    onQueued: (waitMs) => told.push(waitMs),
    estimate: () => [Promise.resolve({ waitMs: waits[0] ?? 0, reason: 'quota' })],
    isWaiting: () => isWaiting,
    logger: { warn: () => undefined },
  });
  const next = async (hasChanged: boolean) => {
    await report(hasChanged);
    waits.shift();
    return [...told];
  };
  expect(await next(false)).toEqual([]);
  expect(await next(false)).toEqual([5_000]);
  expect(await next(false)).toEqual([5_000]);
  expect(await next(true)).toEqual([5_000, 6_000]);
  expect(await next(true)).toEqual([5_000, 6_000]);
  isWaiting = false;
  expect(await next(false)).toEqual([5_000, 6_000]);
});
