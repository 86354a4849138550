import { describe, expect, test } from 'vitest';
import { formatTiming } from '../../../src/monitoring/maintenance/format-timing.ts';
import { parseTiming } from '../../../src/monitoring/maintenance/parse-timing.ts';
import {
  currentOccurrence,
  listOccurrences,
  nextOccurrence,
  type Timing,
} from '../../../src/monitoring/maintenance/timing.ts';

/** A Monday, 09:00 in Berlin. */
const nowMs = Date.parse('2026-11-23T08:00Z');
const zone = 'Europe/Berlin';

function parse(text: string, atMs = nowMs): Timing {
  const result = parseTiming(text, zone, atMs);
  if (result.kind === 'invalid') throw new Error(result.message);
  return result.timing;
}

const problemOf = (text: string) => {
  const result = parseTiming(text, zone, nowMs);
  return result.kind === 'invalid' ? result.message : undefined;
};

const iso = (ms: number | undefined) =>
  ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16);
const periodOf = (period: { fromMs: number; untilMs: number } | undefined) =>
  period && `${iso(period.fromMs)}/${iso(period.untilMs)}`;

describe('a window that is given once', () => {
  test.each([
    ['sat 02:00-04:00', '2026-11-28T01:00/2026-11-28T03:00'],
    ['Saturday 2:00 - 4:00', '2026-11-28T01:00/2026-11-28T03:00'],
    ['tomorrow 22:00-01:30', '2026-11-24T21:00/2026-11-25T00:30'],
    ['today 22:00-24:00', '2026-11-23T21:00/2026-11-23T23:00'],
    ['22:00-23:00', '2026-11-23T21:00/2026-11-23T22:00'],
    ['07:00-08:00', '2026-11-24T06:00/2026-11-24T07:00'],
    // It is 09:00, within this window.
    ['mon 08:30-10:00', '2026-11-23T07:30/2026-11-23T09:00'],
    ['2026-12-01 02:00-04:00', '2026-12-01T01:00/2026-12-01T03:00'],
    ['now for 2h', '2026-11-23T08:00/2026-11-23T10:00'],
    ['for 90m', '2026-11-23T08:00/2026-11-23T09:30'],
    ['sat 02:00 for 2h', '2026-11-28T01:00/2026-11-28T03:00'],
  ])('%s', (text, expected) => {
    const timing = parse(text);
    expect(timing.kind).toBe('once');
    expect(periodOf(listOccurrences(timing, nowMs)[0])).toBe(expected);
  });
});

test.each([
  ['every sat 02:00-04:00', 'Every Saturday 02:00 to 04:00, Europe/Berlin'],
  ['saturdays 02:00-04:00', 'Every Saturday 02:00 to 04:00, Europe/Berlin'],
  ['every sat sun 23:00-01:00', 'Every Saturday and Sunday 23:00 to 01:00 of the next day, Europe/Berlin'],
  ['daily 02:00-03:00', 'Every day 02:00 to 03:00, Europe/Berlin'],
  ['weekdays 02:00-03:00', 'Every Monday to Friday 02:00 to 03:00, Europe/Berlin'],
])('%s is recurring', (text, expected) => {
  expect(formatTiming(parse(text))).toBe(expected);
});

describe('refused are', () => {
  test.each([
    ['sat 02:00', /needs an end/],
    ['from now', /needs an end/],
    ['forever', /needs an end/],
    ['every day 00:00-24:00', /never end/],
    ['daily 02:00-02:00', /never end/],
    ['every mon-sun 06:00-06:00', /never end/],
    ['now for 8d', /at most 7 days/],
    ['now for 1m', /at least 5 minutes/],
    ['today 01:00-02:00', /has passed/],
    ['2028-01-01 02:00-04:00', /a year ahead/],
    ['sat sun 02:00-04:00', /say every sat sun/],
    ['someday 02:00-04:00', /doesn't understand the day "someday"/],
    ['sat 02:00-25:00', /00:00 to 24:00/],
    ['', /Give a day and times/],
  ])('%s', (text, expected) => {
    expect(problemOf(text)).toMatch(expected);
  });
});

describe('a recurring window', () => {
  test('is current from its start until before its end, and is then due a week later', () => {
    const timing = parse('every sat 02:00-04:00');
    const [fromMs, untilMs] = [Date.parse('2026-11-28T01:00Z'), Date.parse('2026-11-28T03:00Z')];
    expect(currentOccurrence(timing, fromMs - 1)).toBeUndefined();
    expect(currentOccurrence(timing, fromMs)).toEqual({ fromMs, untilMs });
    expect(currentOccurrence(timing, untilMs - 1)).toEqual({ fromMs, untilMs });
    expect(currentOccurrence(timing, untilMs)).toBeUndefined();
    expect(periodOf(nextOccurrence(timing, fromMs))).toBe('2026-12-05T01:00/2026-12-05T03:00');
    // A person has ended it early.
    expect(currentOccurrence(timing, fromMs + 2, fromMs + 1)).toBeUndefined();
  });

  test('over midnight is current on the next day', () => {
    const timing = parse('every sat 23:00-01:00');
    expect(periodOf(currentOccurrence(timing, Date.parse('2026-11-28T23:30Z')))).toBe(
      '2026-11-28T22:00/2026-11-29T00:00',
    );
  });

  test('on days that follow each other without a gap is one', () => {
    const timing = parse('every sat sun 00:00-24:00');
    expect(periodOf(nextOccurrence(timing, nowMs))).toBe('2026-11-27T23:00/2026-11-29T23:00');
  });

  test.each([
    // Clocks go forward at 02:00, so a window from 02:00 begins at 03:00.
    ['every sun 02:00-04:00', '2027-03-27T12:00Z', '2027-03-28T01:00/2027-03-28T02:00'],
    // The whole window doesn't exist that day. It keeps its length.
    ['every sun 02:15-02:45', '2027-03-27T12:00Z', '2027-03-28T01:00/2027-03-28T01:30'],
    // Clocks go back at 03:00: the hour from 02:00 passes twice.
    ['every sun 01:00-04:00', '2026-10-24T12:00Z', '2026-10-24T23:00/2026-10-25T03:00'],
  ])('%s follows the clocks', (text, at, expected) => {
    const atMs = Date.parse(at);
    expect(periodOf(nextOccurrence(parse(text, atMs), atMs))).toBe(expected);
  });
});
