import { describe, expect, test } from 'vitest';
import { parseWhen } from '../../src/time/parse-when.ts';
import { currentPeriod, nextPeriod, type Period } from '../../src/time/periods.ts';
import type { When } from '../../src/time/when.ts';

/** A Monday, 09:00 in Berlin. */
const nowMs = Date.parse('2026-11-23T08:00Z');

function parse(text: string, atMs = nowMs): When {
  const parsed = parseWhen(text, { zone: 'Europe/Berlin', nowMs: atMs, isPeriod: true });
  if (parsed.kind === 'invalid') throw new Error(parsed.message);
  return parsed.when;
}

const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16);
const format = (period: Period | undefined) => period && `${iso(period.fromMs)}/${iso(period.untilMs)}`;

describe('a recurring period', () => {
  test('is current from its start until before its end, and then comes a week later', () => {
    const when = parse('every sat 02:00-04:00');
    const [fromMs, untilMs] = [Date.parse('2026-11-28T01:00Z'), Date.parse('2026-11-28T03:00Z')];
    expect(currentPeriod(when, fromMs - 1)).toBeUndefined();
    expect(currentPeriod(when, fromMs)).toEqual({ fromMs, untilMs });
    expect(currentPeriod(when, untilMs - 1)).toEqual({ fromMs, untilMs });
    expect(currentPeriod(when, untilMs)).toBeUndefined();
    expect(format(nextPeriod(when, fromMs))).toBe('2026-12-05T01:00/2026-12-05T03:00');
  });

  test('over midnight is current on the next day', () => {
    const when = parse('every sat 23:00-01:00');
    expect(format(currentPeriod(when, Date.parse('2026-11-28T23:30Z')))).toBe(
      '2026-11-28T22:00/2026-11-29T00:00',
    );
  });

  test('of minutes is current until its end', () => {
    const when = parse('every 15 min for 10m');
    expect(format(currentPeriod(when, nowMs + 9 * 60_000))).toBe('2026-11-23T08:00/2026-11-23T08:10');
    expect(currentPeriod(when, nowMs + 10 * 60_000)).toBeUndefined();
  });

  test('that a clock change joins with the previous one is found from its start', () => {
    expect(format(currentPeriod(parse('daily 02:00 for 23h 30m'), Date.parse('2027-03-29T22:00Z')))).toBe(
      '2027-03-28T01:00/2027-03-29T23:30',
    );
  });

  test('on days that follow each other without a gap is one', () => {
    expect(format(nextPeriod(parse('every sat sun 00:00-24:00'), nowMs))).toBe(
      '2026-11-27T23:00/2026-11-29T23:00',
    );
  });

  test('a month apart is found from the last one', () => {
    const when = parse('monthly 31 02:00 for 3d');
    expect(format(currentPeriod(when, Date.parse('2026-12-02T12:00Z')))).toBe(
      '2026-11-30T01:00/2026-12-03T01:00',
    );
    expect(format(nextPeriod(when, Date.parse('2026-12-02T12:00Z')))).toBe(
      '2026-12-31T01:00/2027-01-03T01:00',
    );
  });

  test.each([
    // Clocks go forward at 02:00, so a window from 02:00 begins at 03:00.
    ['every sun 02:00-04:00', '2027-03-27T12:00Z', '2027-03-28T01:00/2027-03-28T02:00'],
    // The whole window doesn't exist that day. It keeps its length.
    ['every sun 02:15-02:45', '2027-03-27T12:00Z', '2027-03-28T01:00/2027-03-28T01:30'],
    // Clocks go back at 03:00: the hour from 02:00 passes twice.
    ['every sun 01:00-04:00', '2026-10-24T12:00Z', '2026-10-24T23:00/2026-10-25T03:00'],
    ['every sun 01:30 for 2h', '2026-10-24T12:00Z', '2026-10-24T23:30/2026-10-25T01:30'],
  ])('%s follows the clocks', (text, at, expected) => {
    const atMs = Date.parse(at);
    expect(format(nextPeriod(parse(text, atMs), atMs))).toBe(expected);
  });
});
