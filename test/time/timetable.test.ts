import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createTimetable,
  lastTimeUntil,
  nextThreeTimes,
  nextTimeAfter,
  shortestIntervalMs,
} from '../../src/time/timetable.ts';
import type { When } from '../../src/time/when.ts';
import { expectedTimes } from './quarter-hours.ts';

const dayMs = 86_400_000;
const at = (iso: string) => Date.parse(iso);
const cron = (expression: string, zone = 'Europe/Berlin'): When => ({
  kind: 'cron',
  expression,
  zone,
  quiet: [],
});

function timesIn(timing: When, from: string, until: string): readonly string[] {
  const timetable = createTimetable(timing);
  const times: string[] = [];
  for (
    let next = timetable.after(at(from));
    next && next.atMs <= at(until);
    next = timetable.after(next.atMs)
  ) {
    times.push(new Date(next.atMs).toISOString().slice(0, 16));
  }
  return times;
}

describe('a clock change', () => {
  test('moves a time in its gap to the first moment after it', () => {
    const daily: When = { kind: 'day', at: '02:30', zone: 'Europe/Berlin', quiet: [] };
    expect(timesIn(daily, '2027-03-27T12:00Z', '2027-03-29T12:00Z')).toEqual([
      '2027-03-28T01:00',
      '2027-03-29T00:30',
    ]);
    const [moved] = nextThreeTimes(daily, at('2027-03-27T12:00Z'));
    expect(moved).toEqual({ atMs: at('2027-03-28T01:00Z'), wallMs: at('2027-03-28T02:30Z') });
  });

  test('also moves the times of lists and steps in its gap, all to the same moment', () => {
    expect(timesIn(cron('30 2,14 * * *'), '2027-03-28T00:00Z', '2027-03-28T22:00Z')).toEqual([
      '2027-03-28T01:00',
      '2027-03-28T12:30',
    ]);
    expect(timesIn(cron('*/15 1-3 * * *'), '2027-03-28T00:00Z', '2027-03-28T02:00Z')).toEqual([
      '2027-03-28T00:15',
      '2027-03-28T00:30',
      '2027-03-28T00:45',
      '2027-03-28T01:00',
      '2027-03-28T01:15',
      '2027-03-28T01:30',
      '2027-03-28T01:45',
    ]);
  });

  test('repeats no time', () => {
    expect(timesIn(cron('0,30 2 * * *'), '2026-10-24T12:00Z', '2026-10-25T12:00Z')).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T00:30',
    ]);
    expect(nextTimeAfter(cron('0,30 2 * * *'), at('2026-10-25T01:10Z'))).toBe(at('2026-10-26T01:00Z'));
  });

  test('of half an hour, at midnight, or of a whole day is respected', () => {
    expect(
      timesIn(cron('15 2 * * *', 'Australia/Lord_Howe'), '2026-10-03T00:00Z', '2026-10-04T00:00Z'),
    ).toEqual(['2026-10-03T15:30']);
    expect(timesIn(cron('0 0 * * *', 'Africa/Cairo'), '2026-04-23T00:00Z', '2026-04-25T00:00Z')).toEqual([
      '2026-04-23T22:00',
      '2026-04-24T21:00',
    ]);
    expect(timesIn(cron('0 9 * * *', 'Pacific/Apia'), '2011-12-29T12:00Z', '2011-12-31T00:00Z')).toEqual([
      '2011-12-29T19:00',
      '2011-12-30T10:00',
      '2011-12-30T19:00',
    ]);
  });

  test('or none: lists and steps occur when the wall clock first shows or skips them, in any zone', () => {
    const quarters = fc.uniqueArray(
      fc.nat(3).map((quarter) => quarter * 15),
      { minLength: 1 },
    );
    const hours = fc.uniqueArray(fc.nat(23), { minLength: 1, maxLength: 6 });
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'Africa/Cairo',
    ];
    const changes = [
      '2026-03-08',
      '2026-03-29',
      '2026-04-05',
      '2026-04-24',
      '2026-10-04',
      '2026-10-25',
      '2026-11-01',
    ];
    fc.assert(
      fc.property(
        quarters,
        hours,
        fc.constantFrom(...zones),
        fc.constantFrom(...changes),
        (minute, hour, zone, change) => {
          const [fromMs, untilMs] = [at(change) - 2 * dayMs, at(change) + 2 * dayMs];
          const expected = expectedTimes(
            zone,
            ({ time }) => hour.includes(Number(time.slice(0, 2))) && minute.includes(Number(time.slice(3))),
            fromMs,
            untilMs,
          );
          const times: number[] = [];
          const timetable = createTimetable(cron(`${minute} ${hour} * * *`, zone));
          for (let last = fromMs; ; ) {
            const next = timetable.after(last);
            if (!next || next.atMs > untilMs) break;
            times.push(next.atMs);
            last = next.atMs;
          }
          expect(times).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('what repeats within the hour or every hour', () => {
  const intervals = (expression: string, zone: string, from: string, until: string) => {
    const times = timesIn(cron(expression, zone), from, until).map((time) => at(`${time}Z`));
    return new Set(times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 60_000));
  };

  test.each([
    ['*/30 * * * *', 'Australia/Melbourne', '2027-04-03T10:00Z', 30],
    ['*/30 * * * *', 'Australia/Melbourne', '2027-10-02T10:00Z', 30],
    ['30 * * * *', 'Europe/Berlin', '2027-03-27T20:00Z', 60],
    ['30 * * * *', 'Europe/Berlin', '2027-10-30T20:00Z', 60],
    ['*/15 * * * *', 'Asia/Kathmandu', '2027-10-30T20:00Z', 15],
    ['*/30 * * * *', 'Australia/Lord_Howe', '2027-04-03T10:00Z', 30],
  ])('keeps its interval over a clock change: %s in %s from %s', (expression, zone, from, minutes) => {
    const until = new Date(at(from) + dayMs).toISOString();
    expect(intervals(expression, zone, from, until)).toEqual(new Set([minutes]));
  });
});

describe('a month', () => {
  test('without the day uses its last day', () => {
    const monthly = (day: number): When => ({
      kind: 'month',
      day,
      at: '09:00',
      zone: 'UTC',
      quiet: [],
    });
    const days = (day: number, year: number) =>
      timesIn(monthly(day), `${year - 1}-12-31T12:00Z`, `${year}-12-31T12:00Z`).map((time) =>
        time.slice(5, 10),
      );
    expect(days(31, 2027)).toEqual(
      '01-31 02-28 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31'.split(' '),
    );
    expect(days(30, 2027).slice(0, 3)).toEqual(['01-30', '02-28', '03-30']);
    expect(days(29, 2028).slice(0, 3)).toEqual(['01-29', '02-29', '03-29']);
    for (let day = 1; day <= 31; day += 1) expect(days(day, 2028)).toHaveLength(12);
  });
});

describe('quiet hours', () => {
  const nightly: When = {
    kind: 'cron',
    expression: '0 */4 * * *',
    zone: 'Europe/Berlin',
    quiet: [
      { from: '20:00', to: '08:00', days: ['mon', 'tue', 'wed', 'thu', 'fri'] },
      { from: '00:00', to: '00:00', days: ['sat', 'sun'] },
    ],
  };

  test('skip the times in them, including the first minute and excluding the last, also over midnight', () => {
    expect(timesIn(nightly, '2026-11-26T12:00Z', '2026-11-30T12:00Z')).toEqual([
      '2026-11-26T15:00',
      '2026-11-27T07:00',
      '2026-11-27T11:00',
      '2026-11-27T15:00',
      '2026-11-29T23:00',
      '2026-11-30T03:00',
      '2026-11-30T07:00',
      '2026-11-30T11:00',
    ]);
  });

  test('that contain every time leave none', () => {
    const daily: When = {
      kind: 'day',
      at: '03:00',
      zone: 'Europe/Berlin',
      quiet: [{ from: '22:00', to: '07:00', days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] }],
    };
    expect(nextTimeAfter(daily, at('2026-11-21T00:00Z'))).toBeUndefined();
  });
});

test('no other time lies between a moment and the last time before it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('*/15 * * * *', '30 2,14 * * *', '0 9 * * mon-fri', '0 9 L * *', '0 9 1 1,2 *'),
      fc.integer({ min: 0, max: 400 * 24 * 60 }),
      (expression, minutes) => {
        const timetable = createTimetable(cron(expression));
        const knownMs = timetable.after(at('2026-01-01T00:00Z'))?.atMs ?? 0;
        const untilMs = knownMs + minutes * 60_000;
        const latestMs = lastTimeUntil(timetable, untilMs, knownMs);
        expect(latestMs).toBeGreaterThanOrEqual(knownMs);
        expect(latestMs).toBeLessThanOrEqual(untilMs);
        expect(timetable.after(latestMs)?.atMs).toBeGreaterThan(untilMs);
        expect(timetable.after(latestMs - 1)?.atMs).toBe(latestMs);
      },
    ),
    { numRuns: 50 },
  );
});

test('the shortest interval is found within a day and over midnight', () => {
  expect(shortestIntervalMs(cron('0,10 9 29 2 *'))).toBe(10 * 60_000);
  expect(shortestIntervalMs(cron('5,55 0,23 * * *'))).toBe(10 * 60_000);
  expect(shortestIntervalMs(cron('5,55 0,23 1 * *'))).toBe(50 * 60_000);
  expect(shortestIntervalMs(cron('*/15 * * * *'))).toBe(15 * 60_000);
  expect(shortestIntervalMs(cron('0 9 30 2 *'))).toBeUndefined();
});
