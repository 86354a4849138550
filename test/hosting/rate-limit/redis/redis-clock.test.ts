import { expect, test } from 'vitest';
import { createRedisClock } from '../../../../src/hosting/rate-limit/ledger/redis-clock.ts';

const toleranceMs = 250;

test('a jump ahead is noticed once, however slow the readings are', () => {
  const clock = createRedisClock(toleranceMs);
  expect(clock.hasJumped(1_000_000, 100, 105)).toBe(false);
  expect(clock.hasJumped(1_000_800, 200, 1_000)).toBe(false);
  expect(clock.hasJumped(1_031_000, 1_100, 1_110)).toBe(true);
  expect(clock.hasJumped(1_031_100, 1_200, 1_210)).toBe(false);
});

test('a clock that goes back, drifts or is read late has not jumped ahead', () => {
  const clock = createRedisClock(toleranceMs);
  expect(clock.hasJumped(1_000_000, 0, 10)).toBe(false);
  expect(clock.hasJumped(400_000, 100, 110)).toBe(false);
  // An hour later, the clock of Redis is 500 ppm ahead.
  expect(clock.hasJumped(400_000 + 3_600_000 + 1_800, 3_600_100, 3_600_110)).toBe(false);
  // The process was frozen between the request and the reply.
  expect(clock.hasJumped(4_002_000, 3_600_200, 3_700_000)).toBe(false);
});

test('a slow reading does not hide a jump after it', () => {
  const clock = createRedisClock(toleranceMs);
  expect(clock.hasJumped(1_000_000, 0, 1)).toBe(false);
  expect(clock.hasJumped(1_002_000, 10, 2_010)).toBe(false);
  expect(clock.hasJumped(1_004_900, 3_000, 3_001)).toBe(true);
});

test('a clock that runs ahead in small steps has jumped', () => {
  const clock = createRedisClock(toleranceMs);
  const readings = Array.from({ length: 60 }, (_, second) => {
    const atMs = second * 1_000;
    // It is 5 % fast.
    return clock.hasJumped(1_000_000 + atMs * 1.05, atMs, atMs + 1);
  });
  expect(readings.slice(0, 10)).toContain(true);
});
