import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRateLimiter, type RateLimiter } from '../../../src/hosting/rate-limit/rate-limiter.ts';
import { createCallRecorder, createMemoryJournal, maxCallsInWindow } from './call-recorder.ts';

const windowMs = 60_000;
const holdMs = 60_250;
const callTimeoutMs = 10_000;
const fingerprint = 'a key';
const people = { fingerprint, lane: 'people', limit: 3 } as const;
const background = { fingerprint, lane: 'background', limit: 3 } as const;

let limiter: RateLimiter;

beforeEach(async () => {
  vi.useFakeTimers();
  limiter = await createRateLimiter({ callTimeoutMs });
});

afterEach(async () => {
  const closed = limiter.close();
  await vi.advanceTimersByTimeAsync(callTimeoutMs);
  await closed;
  vi.useRealTimers();
});

/** Collects results of calls, for tests that check only which calls were sent. */
function run(slot: Parameters<RateLimiter['schedule']>[0], call: () => Promise<string>) {
  void limiter.schedule(slot, call).catch(() => undefined);
}

test('a pause stops the calls of its key and no others', async () => {
  const { log, names, call } = createCallRecorder();
  const untilMs = Date.now() + 20_000;
  await limiter.pause(fingerprint, untilMs);
  run(people, call('paused'));
  run({ ...people, fingerprint: 'another' }, call('another'));
  await vi.advanceTimersByTimeAsync(19_999);
  expect(names()).toEqual(['another']);
  await vi.advanceTimersByTimeAsync(50);
  expect(log[1]).toMatchObject({ name: 'paused' });
  expect(log[1]?.sentAtMs).toBeGreaterThanOrEqual(untilMs);
});

test('a pause uses no slots: all are free when it ends', async () => {
  const { log, call } = createCallRecorder();
  await limiter.pause(fingerprint, Date.now() + 20_000);
  for (let i = 0; i < 5; i += 1) run(people, call('paused'));
  await vi.advanceTimersByTimeAsync(20_100);
  expect(log).toHaveLength(3);
});

test('calls that wait at the start of a pause are sent after it in order, people first', async () => {
  const { names, call } = createCallRecorder();
  for (const name of ['1', '2', '3']) run(people, call(name));
  await vi.advanceTimersByTimeAsync(100);
  for (const name of ['c', 'd']) run(background, call(name));
  for (const name of ['4', '5']) run(people, call(name));
  await vi.advanceTimersByTimeAsync(10_000);
  await limiter.pause(fingerprint, Date.now() + 2 * windowMs);
  await vi.advanceTimersByTimeAsync(windowMs);
  // These calls are scheduled during the pause of the others.
  run(background, call('e'));
  run(people, call('6'));
  await vi.advanceTimersByTimeAsync(4 * windowMs);
  expect(names().slice(0, 3)).toEqual(['1', '2', '3']);
  expect(names().slice(3, 6)).toEqual(['4', '5', '6']);
  expect(names().slice(6)).toEqual(['c', 'd', 'e']);
});

test('calls that were stopped by a pause go before later calls', async () => {
  const { names, call } = createCallRecorder();
  const slot = { ...people, limit: 1 };
  const startMs = Date.now();
  run(slot, call('0', 0));
  for (const name of ['1', '2', '3', '4', '5', '6', '7', '8']) run(slot, call(name, 0));
  await vi.advanceTimersByTimeAsync(1_000);
  // Ends while waiting calls get the free slot one after the other.
  await limiter.pause(fingerprint, startMs + holdMs + 20);
  await vi.advanceTimersByTimeAsync(9 * holdMs);
  expect(names()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8']);
});

test('a call whose preparation lasts into a pause is sent after it, and its slot is free meanwhile', async () => {
  const { log, call } = createCallRecorder();
  const beforeSend = () => new Promise<void>((resolve) => setTimeout(resolve, 5_000));
  run({ ...people, beforeSend }, call('slow'));
  await vi.advanceTimersByTimeAsync(1_000);
  const untilMs = Date.now() + 20_000;
  await limiter.pause(fingerprint, untilMs);
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await limiter.usage(fingerprint, 3)).used.people).toBe(0);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(log).toHaveLength(1);
  expect(log[0]?.sentAtMs).toBeGreaterThanOrEqual(untilMs);
});

test('a second pause can only lengthen the first', async () => {
  const { log, call } = createCallRecorder();
  const untilMs = Date.now() + 30_000;
  await limiter.pause(fingerprint, Date.now() + 10_000);
  run(people, call('paused'));
  await vi.advanceTimersByTimeAsync(5_000);
  await limiter.pause(fingerprint, untilMs);
  await limiter.pause(fingerprint, Date.now() + 1_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(log[0]?.sentAtMs).toBeGreaterThanOrEqual(untilMs);
  expect(log[0]?.sentAtMs).toBeLessThan(untilMs + 50);
});

test('a call is rejected at its deadline during a pause', async () => {
  const { log, call } = createCallRecorder();
  const notAfterMs = Date.now() + 10_000;
  await limiter.pause(fingerprint, Date.now() + 60_000);
  const refused = limiter.schedule({ ...people, notAfterMs }, call('late')).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await refused).toMatchObject({ code: 'deadline_passed' });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(log).toEqual([]);
});

test('a pause during a backlog causes no call above the quota', async () => {
  const { log, call } = createCallRecorder();
  for (let i = 0; i < 12; i += 1) run(i % 2 ? people : background, call(`${i}`, i * 300));
  for (let i = 0; i < 6; i += 1) {
    await vi.advanceTimersByTimeAsync(37_000);
    await limiter.pause(fingerprint, Date.now() + 9_000);
  }
  await vi.advanceTimersByTimeAsync(6 * windowMs);
  expect(log).toHaveLength(12);
  expect(maxCallsInWindow(log, windowMs)).toBeLessThanOrEqual(3);
});

test('a pause continues after a restart', async () => {
  const journal = createMemoryJournal();
  const before = await createRateLimiter({ callTimeoutMs, journal });
  const untilMs = Date.now() + 50_000;
  await before.pause(fingerprint, untilMs);
  await before.close();
  const after = await createRateLimiter({ callTimeoutMs, journal });
  const { log, call } = createCallRecorder();
  const answer = after.schedule(people, call('paused'));
  await vi.advanceTimersByTimeAsync(51_000);
  expect(await answer).toBe('paused');
  expect(log[0]?.sentAtMs).toBeGreaterThanOrEqual(untilMs);
  await after.close();
});

test('a pause gets no longer if the clock goes back during a restart', async () => {
  const journal = createMemoryJournal();
  const before = await createRateLimiter({ callTimeoutMs, journal });
  await before.pause(fingerprint, Date.now() + 50_000);
  await before.close();
  vi.setSystemTime(Date.now() - 3_600_000);
  const after = await createRateLimiter({ callTimeoutMs, journal });
  const { call } = createCallRecorder();
  const answer = after.schedule(people, call('paused'));
  await vi.advanceTimersByTimeAsync(51_000);
  expect(await answer).toBe('paused');
  await after.close();
});

test('a pause that cannot be recorded holds nevertheless, and does not fail the call that caused it', async () => {
  const journal = createMemoryJournal();
  const error = new Error('disk full');
  vi.spyOn(journal, 'recordPause').mockRejectedValue(error);
  const logger = { warn: vi.fn() };
  const failing = await createRateLimiter({ callTimeoutMs, journal, logger });
  const untilMs = Date.now() + 20_000;
  await failing.pause(fingerprint, untilMs);
  expect(logger.warn).toHaveBeenCalledWith({ error }, expect.any(String));
  const { log, call } = createCallRecorder();
  void failing.schedule(people, call('paused'));
  await vi.advanceTimersByTimeAsync(21_000);
  expect(log[0]?.sentAtMs).toBeGreaterThanOrEqual(untilMs);
  await failing.close();
});
