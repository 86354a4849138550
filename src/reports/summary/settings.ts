import { z } from 'zod';

const percent = z.union([z.literal(0), z.number().min(1).max(99)]);

/** From which figures on something stands out in a report; each report has its own. Of all but a state, 0 leaves it alone. */
export const summarySettings = z.object({
  /** CPU of at least so much, for at least so long without a pause, stands out. */
  cpuPercent: percent.default(90),
  cpuMinutes: z.int().min(1).max(10_080).default(60),
  /** The same for memory. */
  memoryPercent: percent.default(95),
  memoryMinutes: z.int().min(1).max(10_080).default(60),
  /** A disk that is so full stands out. */
  diskPercent: percent.default(90),
  /** So does one that its growth fills within so many days. */
  diskFullDays: z.number().min(0).max(90).default(7),
  /** CPU that is so many points (of 100 %) above or below all that it was at the same hours of the days before. */
  changePoints: z.number().min(0).max(100).default(25),
  /** Traffic that is so many times all that it was at those hours, or that part of it. */
  trafficTimes: z.number().min(0).max(1_000).default(5),
  /** Words of the service for the state of a VPS with which nothing is wrong, in any case of letters. */
  goodStates: z
    .array(z.string().trim().min(1).max(60))
    .min(1)
    .max(20)
    .default(['running', 'online', 'active', 'up', 'started', 'ok', 'ready', 'on', 'healthy', 'powered_on']),
  /** When there is something to be posted: always, when something stands out, or when that is not what stood out before. */
  post: z.enum(['always', 'standsOut', 'changed']).default('always'),
});

export type SummarySettings = z.infer<typeof summarySettings>;
