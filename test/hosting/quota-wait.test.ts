import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQuota, type Lane, type Quota } from '../../src/hosting/quota/quota.ts';
import { createMemoryJournal } from './quota-calls.ts';

const windowMs = 60_000;
const holdMs = 60_250;
const callTimeoutMs = 10_000;
const key = 'a key';

let quota: Quota;

beforeEach(async () => {
  vi.useFakeTimers();
  quota = await createQuota({ callTimeoutMs });
});

afterEach(async () => {
  await quota.close();
  vi.useRealTimers();
});

/** Makes a call and tells what it was told before it left, and how long it waited. */
function observe(lane: Lane, limit: number, latencyMs = 0) {
  const askedAtMs = Date.now();
  const seen = { told: [] as number[], waitedMs: Number.NaN };
  const slot = { key, lane, limit, onQueued: (waitMs: number) => seen.told.push(waitMs) };
  const call = async () => {
    seen.waitedMs = Date.now() - askedAtMs;
    await new Promise((resolve) => setTimeout(resolve, latencyMs));
  };
  void quota.run(slot, call).catch(() => undefined);
  return seen;
}

test('a caller who need not wait is told nothing', async () => {
  const seen = [observe('people', 2), observe('background', 2)];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen.map(({ told }) => told)).toEqual([[], []]);
  expect(seen.every(({ waitedMs }) => waitedMs <= 10)).toBe(true);
});

test('a caller who must wait is told how long, before it has waited', async () => {
  observe('people', 1);
  await vi.advanceTimersByTimeAsync(20_000);
  const seen = observe('people', 1);
  await vi.advanceTimersByTimeAsync(0);
  expect(seen.told).toHaveLength(1);
  expect(seen.waitedMs).toBeNaN();
  await vi.advanceTimersByTimeAsync(windowMs);
  expect(Math.abs((seen.told[0] ?? 0) - seen.waitedMs)).toBeLessThan(50);
});

test('an estimate is right within the time that calls take, whoever waits already', async () => {
  const line = fc.array(fc.constantFrom<Lane>('people', 'background'), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      line,
      fc.integer({ min: 20, max: 50_000 }),
      async (limit, lanes, laterMs) => {
        quota = await createQuota({ callTimeoutMs });
        const backgroundFirst = lanes.toSorted();
        const seen = backgroundFirst.map((lane) => observe(lane, limit));
        await vi.advanceTimersByTimeAsync(laterMs);
        // A person comes last, so that nobody who comes later goes first.
        seen.push(observe('people', limit));
        await vi.advanceTimersByTimeAsync(40 * holdMs);
        for (const { told, waitedMs } of seen.slice(-1)) {
          expect(waitedMs).not.toBeNaN();
          expect(Math.abs((told[0] ?? 0) - waitedMs)).toBeLessThan(200);
        }
        await quota.close();
      },
    ),
    { numRuns: 200 },
  );
});

test('a person who comes while the last slot is being given to a report is told of the wait', async () => {
  observe('people', 2);
  observe('background', 2);
  await vi.advanceTimersByTimeAsync(2);
  const seen = observe('people', 2);
  await vi.advanceTimersByTimeAsync(2 * windowMs);
  expect(seen.waitedMs).toBeGreaterThan(windowMs);
  expect(Math.abs((seen.told[0] ?? 0) - seen.waitedMs)).toBeLessThan(50);
});

test('background calls are told of the people before them and of their own lane', async () => {
  for (let i = 0; i < 10; i += 1) observe('people', 10);
  await vi.advanceTimersByTimeAsync(1_000);
  for (let i = 0; i < 5; i += 1) observe('people', 10);
  const reports = Array.from({ length: 14 }, () => observe('background', 10));
  await vi.advanceTimersByTimeAsync(6 * holdMs);
  for (const { told, waitedMs } of reports) expect(Math.abs((told[0] ?? 0) - waitedMs)).toBeLessThan(200);
  // Five of the ten slots that come free first are the people's; the next cycle has room for eight, the third for one.
  const cycles = reports.map(({ waitedMs }) => Math.floor(waitedMs / (holdMs - 1_500)));
  expect(cycles).toEqual([...new Array(5).fill(1), ...new Array(8).fill(2), 3]);
});

test('those who wait are told anew when a pause makes them wait longer', async () => {
  observe('people', 1);
  await vi.advanceTimersByTimeAsync(20_000);
  const seen = observe('people', 1);
  await vi.advanceTimersByTimeAsync(1_000);
  await quota.pause(key, Date.now() + 2 * windowMs);
  await vi.advanceTimersByTimeAsync(3 * windowMs);
  expect(seen.told).toHaveLength(2);
  const [first = 0, second = 0] = seen.told;
  expect(first).toBeGreaterThan(40_000);
  expect(first).toBeLessThan(40_300);
  // Told when its slot came free and the pause was met.
  expect(second).toBeGreaterThan(2 * windowMs - 40_000);
  expect(seen.waitedMs).toBeGreaterThan(2 * windowMs);
});

test('a caller whose onQueued throws has its call made all the same', async () => {
  observe('people', 1);
  await vi.advanceTimersByTimeAsync(1_000);
  const onQueued = () => {
    throw new Error('the message could not be edited');
  };
  const answer = quota.run({ key, lane: 'people', limit: 1, onQueued }, async () => 'made');
  await vi.advanceTimersByTimeAsync(2 * windowMs);
  expect(await answer).toBe('made');
});

test('usage tells what is held, who waits, and for how long', async () => {
  expect(await quota.usage(key, 10)).toEqual({
    limit: 10,
    backgroundLimit: 8,
    holdMs,
    used: { people: 0, background: 0 },
    waiting: { people: 0, background: 0 },
    waitMs: { people: 0, background: 0 },
  });
  for (let i = 0; i < 12; i += 1) observe('background', 10);
  observe('people', 10);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await quota.usage(key, 10)).toMatchObject({
    used: { people: 1, background: 8 },
    waiting: { people: 0, background: 4 },
    waitMs: { people: 0, background: expect.closeTo(holdMs - 20_000, -2) },
  });
  await vi.advanceTimersByTimeAsync(2 * holdMs);
  expect(await quota.usage(key, 10)).toMatchObject({ used: { people: 0, background: 0 } });
});

test('usage counts the calls of before a restart', async () => {
  const journal = createMemoryJournal();
  await journal.leaving({ key, callId: 'before', lane: 'people', leftAtMs: Date.now() });
  const restarted = await createQuota({ callTimeoutMs, journal });
  expect(await restarted.usage(key, 1)).toMatchObject({ used: { people: 1 }, waitMs: { people: holdMs } });
  await restarted.close();
});
