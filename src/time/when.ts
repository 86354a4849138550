import { z } from 'zod';
import { quietWindow } from './quiet-hours.ts';
import { timeOfDay } from './time-of-day.ts';
import { weekdayList } from './weekday.ts';

const shared = {
  /** The IANA time zone of all times. */
  zone: z.string().min(1),
  /** How long each occurrence lasts, or the time of day at which it ends. */
  ends: z
    .union([z.object({ afterMs: z.number().positive() }), z.object({ at: timeOfDay })])
    .readonly()
    .optional(),
  /** Times within these hours are left out. */
  quiet: z.array(quietWindow).readonly().optional(),
};

/**
 * When something happens, once or repeatedly. In shorter months, days 29 to 31 mean the last day, except in cron
 * expressions.
 */
export const when = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('once'), atMs: z.number(), ...shared }),
  z.object({ kind: z.literal('day'), at: timeOfDay, ...shared }),
  z.object({ kind: z.literal('week'), days: weekdayList, at: timeOfDay, ...shared }),
  z.object({ kind: z.literal('month'), day: z.int().min(1).max(31), at: timeOfDay, ...shared }),
  z.object({ kind: z.literal('cron'), expression: z.string().min(1), ...shared }),
]);

export type When = Readonly<z.infer<typeof when>>;
