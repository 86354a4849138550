import { z } from 'zod';
import { minuteMs } from '../time/units.ts';
import type { Limited } from './message-store.ts';

/**
 * When Slack's rate limits end, for posts in each channel and for edits. Slack limits posts by channel, and
 * other methods by workspace.
 */
export const rateBlocks = z.object({
  posts: z.record(z.string(), z.number()).default({}),
  editsUntilMs: z.number().default(0),
});

export type RateBlocks = z.infer<typeof rateBlocks>;

export const noBlocks: RateBlocks = { posts: {}, editsUntilMs: 0 };

/** Maximum length of a block. A later end must come from a clock that was ahead, so it's ignored. */
export const longestBlockMs = 15 * minuteMs;

const isBlocked = (untilMs: number, nowMs: number) => untilMs > nowMs && untilMs <= nowMs + longestBlockMs;

/** Returns the blocks that haven't ended. */
export function currentBlocks({ posts, editsUntilMs }: RateBlocks, nowMs: number): RateBlocks {
  return {
    posts: Object.fromEntries(Object.entries(posts).filter(([, untilMs]) => isBlocked(untilMs, nowMs))),
    editsUntilMs: isBlocked(editsUntilMs, nowMs) ? editsUntilMs : 0,
  };
}

/** Returns the current limits. */
export function toLimited(blocks: RateBlocks, nowMs: number): Limited {
  const { posts, editsUntilMs } = currentBlocks(blocks, nowMs);
  return { channels: Object.keys(posts), isEditLimited: editsUntilMs > 0 };
}

/** Returns when the first block ends; undefined if there is none. */
export function firstEnd(blocks: RateBlocks, nowMs: number): number | undefined {
  const { posts, editsUntilMs } = currentBlocks(blocks, nowMs);
  const ends = [...Object.values(posts), ...(editsUntilMs > 0 ? [editsUntilMs] : [])];
  return ends.length === 0 ? undefined : Math.min(...ends);
}
