import { describe, expect, test } from 'vitest';
import { parseQuietHours } from '../../src/monitoring/shared/time/quiet-hours.ts';
import { isAlwaysQuiet, quietUntilMs } from '../../src/personal/personal-settings.ts';

const at = (time: string) => Date.parse(time);

describe('quiet hours', () => {
  test.each([
    // A Tuesday. Berlin is an hour ahead of UTC.
    ['22:00-07:00', 'Europe/Berlin', '2026-11-24T20:59Z', undefined],
    ['22:00-07:00', 'Europe/Berlin', '2026-11-24T21:00Z', '2026-11-25T06:00Z'],
    ['22:00-07:00', 'Europe/Berlin', '2026-11-25T05:59Z', '2026-11-25T06:00Z'],
    ['22:00-07:00', 'UTC', '2026-11-25T06:30Z', '2026-11-25T07:00Z'],
    // Friday night runs into a quiet weekend, and the weekend into a quiet night.
    ['22:00-07:00, sat sun', 'UTC', '2026-11-27T23:00Z', '2026-11-30T07:00Z'],
    // The clock goes from 02:00 to 03:00.
    ['22:00-02:30', 'Europe/Berlin', '2026-03-28T22:00Z', '2026-03-29T01:00Z'],
    // The clock goes from 03:00 back to 02:00, so 02:30 comes twice.
    ['22:00-02:30', 'Europe/Berlin', '2026-10-25T00:10Z', '2026-10-25T00:30Z'],
    ['22:00-02:30', 'Europe/Berlin', '2026-10-25T01:10Z', '2026-10-25T01:30Z'],
  ])('%s in %s, at %s', (quiet, zone, now, until) => {
    expect(quietUntilMs(quiet, zone, at(now))).toEqual(until === undefined ? undefined : at(until));
  });

  test.each([
    ['mon-sun', true],
    ['00:00-12:00, 12:00-24:00', true],
    ['00:00-12:00, 12:01-24:00', false],
    ['mon-sat', false],
  ])('%s are always: %s', (quiet, expected) => {
    expect(isAlwaysQuiet(parseQuietHours(quiet) ?? [])).toBe(expected);
  });
});
