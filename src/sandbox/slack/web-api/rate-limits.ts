import type { Clock } from '../clock.ts';

/**
 * How often a method may be called, per workspace: docs.slack.dev/apis/web-api/rate-limits. The four tiers take the
 * page's minimum as the limit in any 60 s, so that a burst may use all of it at once. Of the special tier the page
 * says "hundreds of requests per minute": 600 are assumed.
 */
export const tiers = {
  2: { count: 20, windowMs: 60_000 },
  3: { count: 50, windowMs: 60_000 },
  4: { count: 100, windowMs: 60_000 },
  special: { count: 600, windowMs: 60_000 },
} as const;

export type Tier = keyof typeof tiers;

/** Messages per channel: one a second; a burst of five is assumed where Slack says "short bursts". */
export const channelPostLimit = { count: 5, windowMs: 5000 } as const;

interface Limit {
  readonly count: number;
  readonly windowMs: number;
}

export interface RateLimits {
  /** Counts a call. Answers 0, or in how many seconds it may be tried again, when it does not count. */
  take(key: string, limit: Limit): number;
  clear(): void;
}

export function createRateLimits(clock: Clock): RateLimits {
  const calls = new Map<string, number[]>();
  return {
    take(key, { count, windowMs }) {
      const now = clock.now();
      const recent = (calls.get(key) ?? []).filter((at) => at > now - windowMs);
      calls.set(key, recent);
      const blocker = recent.at(-count);
      if (blocker !== undefined) return Math.max(1, Math.ceil((blocker + windowMs - now) / 1000));
      recent.push(now);
      return 0;
    },
    clear: () => calls.clear(),
  };
}
