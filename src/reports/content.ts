import { z } from 'zod';
import type { Recurrence } from './schedule/recurrence.ts';
import { shortestIntervalMs } from './schedule/timetable.ts';
import { summarySettings } from './summary/settings.ts';

const dayMs = 24 * 60 * 60_000;

/** What a report tells, as its row keeps it. */
export const reportContent = z.object({
  /** A summary of a fleet, or one VPS in depth. */
  about: z.enum(['fleet', 'vps']).default('fleet'),
  /** Names, and patterns in which `*` stands for any characters, with a space between. */
  vps: z.string().min(1),
  settings: summarySettings,
  /** How many VPS were meant when it was planned: by that its first time begins early enough. */
  vpsCount: z.int().nonnegative(),
});

export type ReportContent = z.infer<typeof reportContent>;

/** Gives the time that a report tells of, in ms: the last day, week or 30 days, as often as it comes. */
export function periodMsOf(recurrence: Recurrence): number {
  const everyMs = shortestIntervalMs(recurrence) ?? 0;
  if (everyMs < 2 * dayMs) return dayMs;
  return everyMs < 20 * dayMs ? 7 * dayMs : 30 * dayMs;
}
