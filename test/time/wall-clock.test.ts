import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWallClock } from '../../src/time/wall-clock.ts';

const quarterHourMs = 15 * 60_000;
const dayMs = 86_400_000;
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Pacific/Apia',
];

/** Returns what Intl shows for an instant, in ms as if the clock showed UTC. */
function createIntlClock(timeZone: string): (atMs: number) => number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (atMs) => Date.parse(`${format.format(atMs).replace(' ', 'T')}Z`);
}

/** The days of 2026 on which the offset changes, each from the day before, and one without a change. */
function daysWithClockChange(wallMsAt: (atMs: number) => number): readonly number[] {
  const days = Array.from({ length: 365 }, (_, day) => Date.UTC(2026, 0, 1 + day));
  const offsetAt = (atMs: number) => wallMsAt(atMs) - atMs;
  const changing = days.filter((atMs) => offsetAt(atMs) !== offsetAt(atMs + dayMs));
  return [Date.UTC(2026, 0, 10), ...changing.map((atMs) => atMs - dayMs / 2)];
}

describe('a wall clock', () => {
  test.each(zones)('of %s shows what Intl shows', (zone) => {
    const { wallMsAt } = createWallClock(zone);
    const intlWallMsAt = createIntlClock(zone);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e9 }), (seconds) => {
        expect(wallMsAt(seconds * 1000)).toBe(intlWallMsAt(seconds * 1000));
      }),
    );
  });

  test.each(zones)('of %s finds the first instant of every wall time around its clock changes', (zone) => {
    const { instantAt, firstMsAt } = createWallClock(zone);
    const wallMsAt = createIntlClock(zone);
    const misses: unknown[] = [];
    const check = (wallMs: number, instantMs: number | undefined, firstMs: number) => {
      if (instantAt(wallMs) === instantMs && firstMsAt(wallMs) === firstMs) return;
      misses.push([wallMs, instantAt(wallMs), instantMs, firstMsAt(wallMs), firstMs]);
    };
    for (const dayStartMs of daysWithClockChange(wallMsAt)) {
      let nextWallMs = wallMsAt(dayStartMs);
      for (let atMs = dayStartMs; atMs < dayStartMs + 2 * dayMs; atMs += quarterHourMs) {
        const wallMs = wallMsAt(atMs);
        // A clock that goes forward skips the wall times before the one that it shows now.
        for (; nextWallMs < wallMs; nextWallMs += quarterHourMs) check(nextWallMs, undefined, atMs);
        if (nextWallMs > wallMs) continue;
        check(wallMs, atMs, atMs);
        nextWallMs += quarterHourMs;
      }
    }
    expect(misses).toEqual([]);
  });

  test('finds the start of a day that a zone skipped entirely', () => {
    const { instantAt, firstMsAt } = createWallClock('Pacific/Apia');
    const skippedMs = Date.parse('2011-12-30T12:00Z');
    expect(instantAt(skippedMs)).toBeUndefined();
    expect(firstMsAt(skippedMs)).toBe(Date.parse('2011-12-31T00:00+14:00'));
  });

  test('accepts fractions of a ms', () => {
    expect(createWallClock('Asia/Kathmandu').wallMsAt(1_500.7)).toBe(1_500 + 5.5 * 3_600_000);
  });

  test('throws for a zone that does not exist', () => {
    expect(() => createWallClock('Mars/Base')).toThrow(RangeError);
  });
});
