import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createClock } from '../src/clock.ts';
import { createIdGenerator } from '../src/id-generator.ts';

describe('a stopped clock', () => {
  test('runs timers only when it is advanced, in order and each at its time', () => {
    const clock = createClock(() => 1000);
    const seen: [string, number][] = [];
    clock.schedule(200, () => seen.push(['second', clock.now()]));
    clock.schedule(100, () => {
      seen.push(['first', clock.now()]);
      clock.schedule(50, () => seen.push(['nested', clock.now()]));
    });
    clock.schedule(301, () => seen.push(['late', clock.now()]));
    clock.advance(300);
    expect(seen).toEqual([
      ['first', 1100],
      ['nested', 1150],
      ['second', 1200],
    ]);
    expect(clock.now()).toBe(1300);
    clock.stop();
  });

  test('never runs a cancelled timer', () => {
    const clock = createClock(() => 0);
    const run = vi.fn();
    clock.schedule(10, run)();
    clock.advance(20);
    expect(run).not.toHaveBeenCalled();
  });

  test('runs every timer exactly once, never early', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000)), fc.array(fc.nat(500), { maxLength: 10 }), (delays, steps) => {
        const clock = createClock(() => 0);
        const ranAt: number[] = [];
        for (const delay of delays) clock.schedule(delay, () => ranAt.push(clock.now()));
        for (const step of [...steps, 1000]) clock.advance(step);
        clock.stop();
        expect(ranAt).toEqual(delays.toSorted((a, b) => a - b));
      }),
    );
  });
});

test('a clock that follows real time runs its timers by itself', () => {
  vi.useFakeTimers();
  try {
    const clock = createClock();
    const run = vi.fn();
    clock.schedule(5000, run);
    vi.advanceTimersByTime(4998);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(5);
    expect(run).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});

test('message times are unique and increase, even within a millisecond', () => {
  const ids = createIdGenerator(createClock(() => 1_700_000_000_123));
  const times = Array.from({ length: 1000 }, () => ids.ts());
  expect(times[0]).toBe('1700000000.123000');
  expect(new Set(times).size).toBe(1000);
  expect(times.toSorted()).toEqual(times);
});
