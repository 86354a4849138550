import { z } from 'zod';
import { quietWindow } from '../../shared/time/quiet-hours.ts';
import { timeOfDay } from '../../shared/time/time-of-day.ts';
import { weekdayList } from '../../shared/time/weekday.ts';

const shared = {
  /** The IANA time zone of all times. */
  zone: z.string().min(1),
  quiet: z.array(quietWindow).readonly(),
};

/**
 * A report's recurrence, as it was chosen. A time that a clock change skips moves to the end of the
 * gap, and a time that it repeats counts once. Times within quiet hours are skipped. In shorter
 * months, days 29 to 31 mean the last day, except in cron expressions.
 */
export const recurrence = z.discriminatedUnion('every', [
  z.object({ every: z.literal('day'), at: timeOfDay, ...shared }),
  z.object({ every: z.literal('weekday'), at: timeOfDay, ...shared }),
  z.object({ every: z.literal('week'), at: timeOfDay, days: weekdayList, ...shared }),
  z.object({ every: z.literal('month'), at: timeOfDay, day: z.int().min(1).max(31), ...shared }),
  z.object({ every: z.literal('cron'), expression: z.string().min(1), ...shared }),
]);

export type Recurrence = Readonly<z.infer<typeof recurrence>>;

/**
 * The kinds of recurrence: every day, Monday to Friday, days of the week, a day of the month, or a
 * cron expression.
 */
export const recurrenceKinds = [
  'day',
  'weekday',
  'week',
  'month',
  'cron',
] as const satisfies readonly Recurrence['every'][];
