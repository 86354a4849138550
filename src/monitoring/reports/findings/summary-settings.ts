import { z } from 'zod';

const percentOrOff = z.union([z.literal(0), z.number().min(1).max(99)]);

/** The thresholds of one report. 0 disables a threshold; states can't be disabled. */
export const summarySettings = z.object({
  /** CPU must be at or above this percentage without interruption for `cpuMinutes`. */
  cpuPercent: percentOrOff.default(90),
  cpuMinutes: z.int().min(1).max(10_080).default(60),
  /** Like `cpuPercent`, for memory. */
  memoryPercent: percentOrOff.default(95),
  memoryMinutes: z.int().min(1).max(10_080).default(60),
  /** Disk usage must be at or above this percentage. */
  diskPercent: percentOrOff.default(90),
  /** The disk must be expected to be full within this many days. */
  diskFullDays: z.number().min(0).max(90).default(7),
  /**
   * CPU must be this many percentage points above or below all values in the same hours of the days
   * before.
   */
  changePoints: z.number().min(0).max(100).default(25),
  /**
   * Traffic must be this many times all values in the same hours of the days before, or only this
   * fraction of them.
   */
  trafficTimes: z.number().min(0).max(1_000).default(5),
  /** States in which nothing is wrong, in the service's words. Case is ignored. */
  goodStates: z
    .array(z.string().trim().min(1).max(60))
    .min(1)
    .max(20)
    .default(['running', 'online', 'active', 'up', 'started', 'ok', 'ready', 'on', 'healthy', 'powered_on']),
  /** Whether to post always, only if there are findings, or only if the findings have changed. */
  post: z.enum(['always', 'standsOut', 'changed']).default('always'),
});

export type SummarySettings = z.infer<typeof summarySettings>;

/** The settings of a report that sets none. Zod would compile the schema for 1 ms at Rackhand's start. */
export const defaultSummarySettings: SummarySettings = summarySettings.parse({}, { jitless: true });
