import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRecurrence } from '../../../../src/monitoring/reports/schedule/parse-recurrence.ts';
import type { Recurrence } from '../../../../src/monitoring/reports/schedule/recurrence.ts';
import { toRecurrenceInput } from '../../../../src/monitoring/reports/schedule/recurrence-input.ts';
import { type Weekday, weekdays } from '../../../../src/monitoring/shared/time/weekday.ts';

const nowMs = Date.UTC(2026, 10, 21);

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));

const days = fc.subarray([...weekdays], { minLength: 1 });
const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe');
// Windows shorter than a day always leave some time.
const quiet = fc.array(fc.record({ from: time, to: time, days }), { maxLength: 2 });

// Each other time, day or set of days would cost up to 100 ms, because the shortest interval between
// the times of a recurrence is found by comparing 200 of them, and then cached.
const at = fc.constantFrom('00:00', '23:59');
const weekDays = fc.constantFrom<Weekday[]>(['mon'], ['tue', 'fri'], ['wed', 'thu', 'fri'], [...weekdays]);
const day = fc.constantFrom(1, 28, 29, 31);

const recurrence: fc.Arbitrary<Recurrence> = fc.oneof(
  fc.record({ every: fc.constantFrom('day' as const, 'weekday' as const), at, zone, quiet }),
  fc.record({ every: fc.constant('week' as const), at, days: weekDays, zone, quiet }),
  fc.record({
    every: fc.constant('month' as const),
    at,
    day,
    zone,
    quiet,
  }),
  fc.record({
    every: fc.constant('cron' as const),
    expression: fc.constant('*/30 8-18 * * 1-5'),
    zone,
    quiet,
  }),
);

test('a recurrence that is written as text is parsed as the same', () => {
  fc.assert(
    fc.property(recurrence, (one) => {
      const read = parseRecurrence(toRecurrenceInput(one), nowMs);
      // If all of its times are quiet, the recurrence can't be planned.
      if (read.kind === 'valid') expect(read.recurrence).toEqual(one);
      else expect(read.problems.map(({ path }) => path)).toEqual(['quiet']);
    }),
    { numRuns: 200 },
  );
});
