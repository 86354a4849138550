import { z } from 'zod';
import { shortestIntervalMs } from '../../../time/timetable.ts';
import { dayMs } from '../../../time/units.ts';
import type { When } from '../../../time/when.ts';
import { summarySettings } from '../findings/summary-settings.ts';

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
 * timing.
 */
export function reportPeriodMs(timing: When): number {
  const everyMs = shortestIntervalMs(timing) ?? 0;
  if (everyMs < 2 * dayMs) return dayMs;
  return everyMs < 20 * dayMs ? 7 * dayMs : 30 * dayMs;
}
