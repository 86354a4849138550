import { z } from 'zod';
import { minuteMs } from '../time/units.ts';
import type { Limited } from './message-store.ts';

/**
 * When Slack's rate limits end, in epoch ms: for posts by channel, and for all edits. Slack rate-limits
 * posts per channel, and other methods per workspace.
 */
export const rateBlocks = z.object({
  posts: z.record(z.string(), z.number()).default({}),
  editsUntilMs: z.number().default(0),
});

export type RateBlocks = z.infer<typeof rateBlocks>;

export const noBlocks: RateBlocks = { posts: {}, editsUntilMs: 0 };

/**
 * Maximum length of a block. A block that ends later is ignored, because it must have been set while the
 * clock was ahead.
 */
export const longestBlockMs = 15 * minuteMs;

const isBlocked = (untilMs: number, nowMs: number) => untilMs > nowMs && untilMs <= nowMs + longestBlockMs;

/** Returns the blocks that haven't ended. */
export function currentBlocks({ posts, editsUntilMs }: RateBlocks, nowMs: number): RateBlocks {
  return {
    posts: Object.fromEntries(Object.entries(posts).filter(([, untilMs]) => isBlocked(untilMs, nowMs))),
    editsUntilMs: isBlocked(editsUntilMs, nowMs) ? editsUntilMs : 0,
  };
}

export function toLimited(blocks: RateBlocks, nowMs: number): Limited {
  const { posts, editsUntilMs } = currentBlocks(blocks, nowMs);
  return { channels: Object.keys(posts), isEditLimited: editsUntilMs > 0 };
}

/** Returns when the first block ends, or undefined if there are no blocks. */
export function firstEnd(blocks: RateBlocks, nowMs: number): number | undefined {
  const { posts, editsUntilMs } = currentBlocks(blocks, nowMs);
  const ends = [...Object.values(posts), ...(editsUntilMs > 0 ? [editsUntilMs] : [])];
  return ends.length === 0 ? undefined : Math.min(...ends);
}
