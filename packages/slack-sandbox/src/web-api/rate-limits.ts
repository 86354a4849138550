import type { Clock } from '../clock.ts';

/**
 * How often a method can be called in each workspace (docs.slack.dev/apis/web-api/rate-limits). For
 * the four tiers, the documented minimum is used as the limit in any 60 s, all of which can be used
 * in one burst. The special tier is documented as "hundreds of requests per minute"; 600 is an
 * assumption.
 */
export const rateLimitTiers = {
  2: { count: 20, windowMs: 60_000 },
  3: { count: 50, windowMs: 60_000 },
  4: { count: 100, windowMs: 60_000 },
  special: { count: 600, windowMs: 60_000 },
} as const;

export type Tier = keyof typeof rateLimitTiers;

/** One message a second in each channel. For Slack's "short bursts", a burst of five is assumed. */
export const channelPostLimit = { count: 5, windowMs: 5000 } as const;

interface Limit {
  readonly count: number;
  readonly windowMs: number;
}

export interface RateLimits {
  /**
   * Counts a call and returns 0. If the call exceeds the limit, it isn't counted, and the seconds
   * to wait are returned.
   */
  consume(key: string, limit: Limit): number;
  clear(): void;
}

export function createRateLimits(clock: Clock): RateLimits {
  const calls = new Map<string, number[]>();
  return {
    consume(key, { count, windowMs }) {
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
