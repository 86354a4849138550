import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRecurrence } from '../../../src/reports/schedule/read-recurrence.ts';
import type { Recurrence } from '../../../src/reports/schedule/recurrence.ts';
import { weekdays } from '../../../src/reports/schedule/weekday.ts';
import { writeRecurrence } from '../../../src/reports/schedule/write-recurrence.ts';

const nowMs = Date.UTC(2026, 10, 21);

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));

const days = fc.subarray([...weekdays], { minLength: 1 });
const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe');
// Of what is never quiet all day something always comes.
const quiet = fc.array(fc.record({ from: time, to: time, days }), { maxLength: 2 });

const recurrence: fc.Arbitrary<Recurrence> = fc.oneof(
  fc.record({ every: fc.constantFrom('day' as const, 'weekday' as const), at: time, zone, quiet }),
  fc.record({ every: fc.constant('week' as const), at: time, days, zone, quiet }),
  fc.record({
    every: fc.constant('month' as const),
    at: time,
    day: fc.integer({ min: 1, max: 31 }),
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

test('what is written of a recurrence is read as the same', () => {
  fc.assert(
    fc.property(recurrence, (one) => {
      const read = readRecurrence(writeRecurrence(one), nowMs);
      // All of its times may be quiet ones: then it is none that could have been planned.
      if (read.ok) expect(read.recurrence).toEqual(one);
      else expect(read.problems.map(({ path }) => path)).toEqual(['quiet']);
    }),
    { numRuns: 200 },
  );
});
