import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeNext, describeRecurrence } from '../../../src/reports/schedule/describe-recurrence.ts';
import { readRecurrence, type WrittenRecurrence } from '../../../src/reports/schedule/read-recurrence.ts';
import { recurrence } from '../../../src/reports/schedule/recurrence.ts';

const nowMs = Date.parse('2027-03-26T12:00Z');

function described(written: WrittenRecurrence): string {
  const read = readRecurrence({ zone: 'Europe/Berlin', ...written }, nowMs);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('; '));
  return describeRecurrence(read.recurrence);
}

function problems(written: WrittenRecurrence) {
  const read = readRecurrence({ at: '09:00', zone: 'Europe/Berlin', ...written }, nowMs);
  return read.ok ? [] : read.problems.map(({ path, message }) => `${path}: ${message}`);
}

describe('what a person writes', () => {
  test.each<[WrittenRecurrence, string]>([
    [{ at: '9:00' }, 'Every day at 09:00, Europe/Berlin'],
    [{ every: 'Weekdays', at: '0905', zone: 'utc' }, 'Monday to Friday at 09:05, UTC'],
    [{ days: 'thursdays, mon', at: '09:00' }, 'Every Monday and Thursday at 09:00, Europe/Berlin'],
    [
      { every: 'week', days: 'sat–mon', at: '09:00' },
      'Every Monday, Saturday and Sunday at 09:00, Europe/Berlin',
    ],
    [{ day: '1', at: '09:00' }, 'On the 1st of every month at 09:00, Europe/Berlin'],
    [
      { every: 'monthly', day: '30', at: '09:00' },
      'On the 30th of every month, or its last day where it is shorter, at 09:00, Europe/Berlin',
    ],
    [{ day: '31', at: '09:00' }, 'On the last day of every month at 09:00, Europe/Berlin'],
    [{ cron: '30 2,14 * * *' }, 'As cron understands 30 2,14 * * *, Europe/Berlin'],
    [
      { cron: '0 9 31 * *' },
      'As cron understands 0 9 31 * * (only in months that have a 31st: L means the last day of any), Europe/Berlin',
    ],
    [
      { cron: '0 * * * *', quiet: '22:00 - 7:00 mon-fri; sat sun' },
      'As cron understands 0 * * * *, Europe/Berlin; nothing from 22:00 to 07:00 (Monday to Friday), nor on Saturday ' +
        'and Sunday',
    ],
  ])('%j is understood', (written, words) => {
    expect(described(written)).toBe(words);
  });

  test.each<[WrittenRecurrence, string[]]>([
    [{ every: 'hourly' }, ['every: Say how often: day, weekday, week, month or cron']],
    [{ at: '24:00' }, ['at: A time is hours and minutes from 00:00 to 23:59, as in 09:00']],
    [{ every: 'week' }, ['days: Name days of the week, as in mon thu, or mon-fri']],
    [{ days: 'someday' }, ['days: Name days of the week, as in mon thu, or mon-fri']],
    [{ day: '32' }, ['day: A day of the month is a number from 1 to 31']],
    [{ zone: 'Berlin' }, ['zone: “Berlin” is no time zone: did you mean Europe/Berlin?']],
    [{ zone: 'new york' }, ['zone: “new york” is no time zone: did you mean America/New_York?']],
    [{ zone: '+02:00' }, ['zone: “+02:00” is no time zone, such as Europe/Berlin or America/New_York']],
    [{ quiet: 'whenever' }, ['quiet: Quiet times look like 22:00-07:00, or 22:00-07:00 mon-fri, sat sun']],
    [
      { quiet: '08:00-10:00' },
      ['quiet: All times of this report are in its quiet times, so it would never come'],
    ],
    [{ cron: '0 9 30 2 *' }, ['cron: This never comes: no date is like that']],
    [
      { cron: '*/10 * * * *' },
      ['cron: This comes more often than every 15 minutes, which is the most that a report may'],
    ],
    [
      { cron: '0 9 * *' },
      [
        'cron: A cron expression has five parts (minute, hour, day, month, weekday), as in 0 9 * * 1-5: this has 4',
      ],
    ],
    [{ cron: '0 24 * * *' }, ['cron: Cron does not understand “24” as its hour; an example is 0 9 * * 1-5']],
    [
      { cron: '2026-11-22T09:00:00' },
      [
        'cron: A cron expression has five parts (minute, hour, day, month, weekday), as in 0 9 * * 1-5: this has 1',
      ],
    ],
    [{ cron: '@reboot' }, ['cron: This is not a cron expression, such as 0 9 * * 1-5']],
  ])('%j is told as wrong beside its field', (written, told) => {
    expect(problems(written)).toEqual(told);
  });

  test('is told all that is wrong at once', () => {
    expect(problems({ every: 'week', at: 'noon', zone: '', quiet: '?' })).toHaveLength(4);
  });

  test('never throws, and what is understood can be kept, and has a next time', () => {
    const word = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('mon', '09:00', '*/15 * * * *', '0 9 L * *', '31', 'UTC', '@daily', '22:00-07:00', ''),
    );
    fc.assert(
      fc.property(
        fc.record({ every: word, at: word, days: word, day: word, cron: word, zone: word, quiet: word }),
        (written) => {
          const read = readRecurrence(written, nowMs);
          if (!read.ok) {
            expect(read.problems.length).toBeGreaterThan(0);
            return;
          }
          expect(recurrence.parse(JSON.parse(JSON.stringify(read.recurrence)))).toEqual(read.recurrence);
          expect(describeNext(read.recurrence, nowMs).length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

test('the next three times are said in words, with what a clock change does to them', () => {
  const read = readRecurrence({ at: '02:30', zone: 'Europe/Berlin' }, nowMs);
  expect(read.ok && describeNext(read.recurrence, nowMs)).toEqual([
    'Saturday 27 March 2027, 02:30',
    'Sunday 28 March 2027, 03:00, because the clocks go forward over 02:30',
    'Monday 29 March 2027, 02:30',
  ]);
});
