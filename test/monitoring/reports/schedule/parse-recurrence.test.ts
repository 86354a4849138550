import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatNextTimes,
  formatRecurrence,
} from '../../../../src/monitoring/reports/schedule/format-recurrence.ts';
import {
  parseRecurrence,
  type RecurrenceInput,
} from '../../../../src/monitoring/reports/schedule/parse-recurrence.ts';
import { recurrence } from '../../../../src/monitoring/reports/schedule/recurrence.ts';

const nowMs = Date.parse('2027-03-26T12:00Z');

function described(written: RecurrenceInput): string {
  const read = parseRecurrence({ zone: 'Europe/Berlin', ...written }, nowMs);
  if (read.kind === 'invalid') throw new Error(read.problems.map(({ message }) => message).join('; '));
  return formatRecurrence(read.recurrence);
}

function problems(written: RecurrenceInput) {
  const read = parseRecurrence({ at: '09:00', zone: 'Europe/Berlin', ...written }, nowMs);
  return read.kind === 'valid' ? [] : read.problems.map(({ path, message }) => `${path}: ${message}`);
}

describe('a typed schedule', () => {
  test.each<[RecurrenceInput, string]>([
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
      'On the 30th of every month, or its last day if it is shorter, at 09:00, Europe/Berlin',
    ],
    [{ day: '31', at: '09:00' }, 'On the last day of every month at 09:00, Europe/Berlin'],
    [{ cron: '30 2,14 * * *' }, 'By cron expression 30 2,14 * * *, Europe/Berlin'],
    [
      { cron: '0 9 31 * *' },
      'By cron expression 0 9 31 * * (only in months with a 31st; use L for the last day of every month), Europe/Berlin',
    ],
    [
      { cron: '0 * * * *', quiet: '22:00 - 7:00 mon-fri; sat sun' },
      'By cron expression 0 * * * *, Europe/Berlin; no reports from 22:00 to 07:00 (Monday to Friday) or on Saturday ' +
        'and Sunday',
    ],
  ])('%j is understood', (written, words) => {
    expect(described(written)).toBe(words);
  });

  test.each<[RecurrenceInput, string[]]>([
    [{ every: 'hourly' }, ['every: Choose how often: day, weekday, week, month or cron']],
    [{ at: '24:00' }, ['at: Give a time from 00:00 to 23:59, such as 09:00']],
    [{ every: 'week' }, ['days: Give days of the week, such as mon thu or mon-fri']],
    [{ days: 'someday' }, ['days: Give days of the week, such as mon thu or mon-fri']],
    [{ day: '32' }, ['day: Give a day of the month from 1 to 31']],
    [{ zone: 'Berlin' }, ['zone: Unknown time zone "Berlin": did you mean Europe/Berlin?']],
    [{ zone: 'new york' }, ['zone: Unknown time zone "new york": did you mean America/New_York?']],
    [{ zone: '+02:00' }, ['zone: Unknown time zone "+02:00", such as Europe/Berlin or America/New_York']],
    [{ quiet: 'whenever' }, ['quiet: Give quiet times such as 22:00-07:00, or 22:00-07:00 mon-fri, sat sun']],
    [{ quiet: '08:00-10:00' }, ['quiet: All times of this report are quiet times, so it would never run']],
    [{ cron: '0 9 30 2 *' }, ['cron: This schedule never runs: there is no such date']],
    [{ cron: '*/10 * * * *' }, ['cron: The shortest interval is 15 minutes']],
    [
      { cron: '0 9 * *' },
      [
        'cron: A cron expression has five parts (minute, hour, day, month, weekday), such as 0 9 * * 1-5, not 4',
      ],
    ],
    [{ cron: '0 24 * * *' }, ['cron: "24" isn\'t a valid hour in a cron expression. Example: 0 9 * * 1-5']],
    [
      { cron: '2026-11-22T09:00:00' },
      [
        'cron: A cron expression has five parts (minute, hour, day, month, weekday), such as 0 9 * * 1-5, not 1',
      ],
    ],
    [{ cron: '@reboot' }, ["cron: This isn't a valid cron expression. Example: 0 9 * * 1-5"]],
  ])('%j is rejected beside its field', (written, told) => {
    expect(problems(written)).toEqual(told);
  });

  test('is rejected with all its problems at once', () => {
    expect(problems({ every: 'week', at: 'noon', zone: '', quiet: '?' })).toHaveLength(4);
  });

  test('never throws, and can be stored and has a next time if it is understood', () => {
    const word = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('mon', '09:00', '*/15 * * * *', '0 9 L * *', '31', 'UTC', '@daily', '22:00-07:00', ''),
    );
    fc.assert(
      fc.property(
        fc.record({ every: word, at: word, days: word, day: word, cron: word, zone: word, quiet: word }),
        (written) => {
          const read = parseRecurrence(written, nowMs);
          if (read.kind === 'invalid') {
            expect(read.problems.length).toBeGreaterThan(0);
            return;
          }
          expect(recurrence.parse(JSON.parse(JSON.stringify(read.recurrence)))).toEqual(read.recurrence);
          expect(formatNextTimes(read.recurrence, nowMs).length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

test('the next three times are listed, with what a clock change does to them', () => {
  const read = parseRecurrence({ at: '02:30', zone: 'Europe/Berlin' }, nowMs);
  expect(read.kind === 'valid' && formatNextTimes(read.recurrence, nowMs)).toEqual([
    'Saturday 27 March 2027, 02:30',
    "Sunday 28 March 2027, 03:00, because the clocks go forward and 02:30 doesn't exist that day",
    'Monday 29 March 2027, 02:30',
  ]);
});
