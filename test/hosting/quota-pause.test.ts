import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQuota, type Quota } from '../../src/hosting/quota/quota.ts';
import { createCaller, createMemoryJournal, worstWindow } from './quota-calls.ts';

const windowMs = 60_000;
const holdMs = 60_250;
const callTimeoutMs = 10_000;
const key = 'a key';
const people = { key, lane: 'people', limit: 3 } as const;
const background = { key, lane: 'background', limit: 3 } as const;

let quota: Quota;

beforeEach(async () => {
  vi.useFakeTimers();
  quota = await createQuota({ callTimeoutMs });
});

afterEach(async () => {
  const closed = quota.close();
  await vi.advanceTimersByTimeAsync(callTimeoutMs);
  await closed;
  vi.useRealTimers();
});

/** Keeps the answers of a test that looks only at what left. */
function run(slot: Parameters<Quota['run']>[0], call: () => Promise<string>) {
  void quota.run(slot, call).catch(() => undefined);
}

test('nothing of a paused key leaves until then, and other keys are not touched', async () => {
  const { log, names, call } = createCaller();
  const untilMs = Date.now() + 20_000;
  await quota.pause(key, untilMs);
  run(people, call('paused'));
  run({ ...people, key: 'another' }, call('another'));
  await vi.advanceTimersByTimeAsync(19_999);
  expect(names()).toEqual(['another']);
  await vi.advanceTimersByTimeAsync(50);
  expect(log[1]).toMatchObject({ name: 'paused' });
  expect(log[1]?.leftAtMs).toBeGreaterThanOrEqual(untilMs);
});

test('a pause costs no slot: all of them are used as soon as it ends', async () => {
  const { log, call } = createCaller();
  await quota.pause(key, Date.now() + 20_000);
  for (let i = 0; i < 5; i += 1) run(people, call('paused'));
  await vi.advanceTimersByTimeAsync(20_100);
  expect(log).toHaveLength(3);
});

test('those who wait when a pause begins leave after it in their order, people first', async () => {
  const { names, call } = createCaller();
  for (const name of ['1', '2', '3']) run(people, call(name));
  await vi.advanceTimersByTimeAsync(100);
  for (const name of ['c', 'd']) run(background, call(name));
  for (const name of ['4', '5']) run(people, call(name));
  await vi.advanceTimersByTimeAsync(10_000);
  await quota.pause(key, Date.now() + 2 * windowMs);
  await vi.advanceTimersByTimeAsync(windowMs);
  // These come while the others rest already.
  run(background, call('e'));
  run(people, call('6'));
  await vi.advanceTimersByTimeAsync(4 * windowMs);
  expect(names().slice(0, 3)).toEqual(['1', '2', '3']);
  expect(names().slice(3, 6)).toEqual(['4', '5', '6']);
  expect(names().slice(6)).toEqual(['c', 'd', 'e']);
});

test('those who met a pause go before those behind them who did not', async () => {
  const { names, call } = createCaller();
  const slot = { ...people, limit: 1 };
  const startMs = Date.now();
  run(slot, call('0', 0));
  for (const name of ['1', '2', '3', '4', '5', '6', '7', '8']) run(slot, call(name, 0));
  await vi.advanceTimersByTimeAsync(1_000);
  // Ends while those who wait are given the free slot one after the other.
  await quota.pause(key, startMs + holdMs + 20);
  await vi.advanceTimersByTimeAsync(9 * holdMs);
  const [, first, ...others] = names();
  // Whoever is given the slot as the pause ends leaves; nobody else overtakes.
  expect(Number(first)).toBeGreaterThan(2);
  expect(Number(first)).toBeLessThan(8);
  expect(others).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'].filter((name) => name !== first));
});

test('a later pause lengthens an earlier one and never shortens it', async () => {
  const { log, call } = createCaller();
  const untilMs = Date.now() + 30_000;
  await quota.pause(key, Date.now() + 10_000);
  run(people, call('paused'));
  await vi.advanceTimersByTimeAsync(5_000);
  await quota.pause(key, untilMs);
  await quota.pause(key, Date.now() + 1_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(log[0]?.leftAtMs).toBeGreaterThanOrEqual(untilMs);
  expect(log[0]?.leftAtMs).toBeLessThan(untilMs + 50);
});

test('a pause does not keep anybody past their deadline', async () => {
  const { log, call } = createCaller();
  const notAfterMs = Date.now() + 10_000;
  await quota.pause(key, Date.now() + 60_000);
  const refused = quota.run({ ...people, notAfterMs }, call('late')).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await refused).toMatchObject({ code: 'deadline_passed' });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(log).toEqual([]);
});

test('a pause amid a backlog keeps the window within the quota', async () => {
  const { log, call } = createCaller();
  for (let i = 0; i < 12; i += 1) run(i % 2 ? people : background, call(`${i}`, i * 300));
  for (let i = 0; i < 6; i += 1) {
    await vi.advanceTimersByTimeAsync(37_000);
    await quota.pause(key, Date.now() + 9_000);
  }
  await vi.advanceTimersByTimeAsync(6 * windowMs);
  expect(log).toHaveLength(12);
  expect(worstWindow(log, windowMs)).toBeLessThanOrEqual(3);
});

test('a pause is obeyed after a restart', async () => {
  const journal = createMemoryJournal();
  const before = await createQuota({ callTimeoutMs, journal });
  const untilMs = Date.now() + 50_000;
  await before.pause(key, untilMs);
  await before.close();
  const after = await createQuota({ callTimeoutMs, journal });
  const { log, call } = createCaller();
  const answer = after.run(people, call('paused'));
  await vi.advanceTimersByTimeAsync(51_000);
  expect(await answer).toBe('paused');
  expect(log[0]?.leftAtMs).toBeGreaterThanOrEqual(untilMs);
  await after.close();
});

test('a pause lasts no longer than it was meant to when the clock has gone back meanwhile', async () => {
  const journal = createMemoryJournal();
  const before = await createQuota({ callTimeoutMs, journal });
  await before.pause(key, Date.now() + 50_000);
  await before.close();
  vi.setSystemTime(Date.now() - 3_600_000);
  const after = await createQuota({ callTimeoutMs, journal });
  const { call } = createCaller();
  const answer = after.run(people, call('paused'));
  await vi.advanceTimersByTimeAsync(51_000);
  expect(await answer).toBe('paused');
  await after.close();
});
