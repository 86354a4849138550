import { z } from 'zod';
import { weekdays } from './weekday.ts';

/** A time of the day, `HH:MM`. */
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

const days = z.array(z.enum(weekdays)).min(1).readonly();

const quietWindow = z.object({
  from: timeOfDay,
  /** The same as `from`: until then on the next day. */
  to: timeOfDay,
  /** The days on which it begins. */
  days,
});

/** A time of the week in which nothing is posted. */
export type QuietWindow = Readonly<z.infer<typeof quietWindow>>;

const shared = {
  /** IANA zone, in which all its times are meant. */
  zone: z.string().min(1),
  quiet: z.array(quietWindow).readonly(),
};

/**
 * When a report comes, as a person chose it. A time that a clock change leaves out comes at the first moment after it, one that it repeats comes
 * once, and one that falls into a quiet window is skipped. Day 29, 30 or 31 of a month is the last one of a shorter month; in a cron expression it
 * is what cron means by it.
 */
export const recurrence = z.discriminatedUnion('every', [
  z.object({ every: z.literal('day'), at: timeOfDay, ...shared }),
  z.object({ every: z.literal('weekday'), at: timeOfDay, ...shared }),
  z.object({ every: z.literal('week'), at: timeOfDay, days, ...shared }),
  z.object({ every: z.literal('month'), at: timeOfDay, day: z.int().min(1).max(31), ...shared }),
  z.object({ every: z.literal('cron'), expression: z.string().min(1), ...shared }),
]);

export type Recurrence = Readonly<z.infer<typeof recurrence>>;

/** What can be chosen: every day, Monday to Friday, some days of the week, a day of the month, or what a cron expression says. */
export const everies = [
  'day',
  'weekday',
  'week',
  'month',
  'cron',
] as const satisfies readonly Recurrence['every'][];
