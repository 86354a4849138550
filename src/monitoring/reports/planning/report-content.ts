import { z } from 'zod';
import { dayMs } from '../../../time/units.ts';
import { summarySettings } from '../findings/summary-settings.ts';
import type { Recurrence } from '../schedule/recurrence.ts';
import { shortestIntervalMs } from '../schedule/timetable.ts';

/** Schema for what a report covers, as it is stored. */
export const reportContent = z.object({
  /** Whether the report summarizes a fleet or examines one VPS in depth. */
  about: z.enum(['fleet', 'vps']).default('fleet'),
  /** Space-separated VPS names and patterns; `*` matches any characters. */
  vps: z.string().min(1),
  settings: summarySettings,
  /**
   * How many VPS were selected when the report was planned. Determines the lead time of its first
   * occurrence.
   */
  vpsCount: z.int().nonnegative(),
  /** Whether `vpsCount` is an estimate, because the list of VPS wasn't read to its end. */
  isEstimated: z.boolean().default(false),
  /** How many calls the list of VPS took when the report was planned. */
  listCalls: z.int().positive().default(1),
});

export type ReportContent = z.infer<typeof reportContent>;

/**
 * Returns the length of the reported period in ms: a day, a week or 30 days, depending on the
 * recurrence.
 */
export function reportPeriodMs(recurrence: Recurrence): number {
  const everyMs = shortestIntervalMs(recurrence) ?? 0;
  if (everyMs < 2 * dayMs) return dayMs;
  return everyMs < 20 * dayMs ? 7 * dayMs : 30 * dayMs;
}
