import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSystemClock, waitFor, waitUntil } from '../../src/jobs/clock.ts';

const dayMs = 86_400_000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a timer runs at its time, at once if that has passed, and not at all if it is cancelled', async () => {
  const clock = createSystemClock();
  const ran: string[] = [];
  clock.setTimer(clock.now() + 1000, () => ran.push('later'));
  clock.setTimer(clock.now() - 1000, () => ran.push('past'));
  clock.setTimer(clock.now() + 500, () => ran.push('never'))();
  await vi.advanceTimersByTimeAsync(999);
  expect(ran).toEqual(['past']);
  await vi.advanceTimersByTimeAsync(1);
  expect(ran).toEqual(['past', 'later']);
});

test('a wait ends at its time, even if that is further off than a Node.js timer allows', async () => {
  const clock = createSystemClock();
  const { signal } = new AbortController();
  const over = vi.fn();
  void waitUntil(clock, clock.now() + 40 * dayMs, signal).then(over);
  await vi.advanceTimersByTimeAsync(40 * dayMs - 1);
  expect(over).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(over).toHaveBeenCalledOnce();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a cancelled wait rejects with the reason, and leaves no timer', async () => {
  const clock = createSystemClock();
  const calledOff = new AbortController();
  const wait = waitUntil(clock, clock.now() + 1000, calledOff.signal);
  calledOff.abort(new Error('stopped'));
  await expect(wait).rejects.toThrow('stopped');
  await expect(waitUntil(clock, 0, calledOff.signal)).rejects.toThrow('stopped');
  expect(vi.getTimerCount()).toBe(0);
});

test('a wait of a second takes a second, although the clock was set back an hour', async () => {
  const over = vi.fn();
  void waitFor(createSystemClock(), 1000, new AbortController().signal).then(over);
  vi.setSystemTime(Date.now() - 3_600_000);
  await vi.advanceTimersByTimeAsync(999);
  expect(over).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(over).toHaveBeenCalledOnce();
});

test('a wait until a time goes on if the clock was set back', async () => {
  const clock = createSystemClock();
  const over = vi.fn();
  void waitUntil(clock, clock.now() + 1000, new AbortController().signal).then(over);
  vi.setSystemTime(Date.now() - 60_000);
  await vi.advanceTimersByTimeAsync(60_999);
  expect(over).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(over).toHaveBeenCalledOnce();
});
