import { expect, test } from 'vitest';
import { createPollLoop } from '../../../src/jobs/poll-loop.ts';
import { createManualClock } from './manual-clock.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a time from before the clock was set back delays the next poll by the longest pause at most', async () => {
  const startMs = Date.parse('2026-11-23T08:00Z');
  const clock = createManualClock(startMs);
  const polls: number[] = [];
  const loop = createPollLoop({
    clock,
    maxSleepMs: 10_000,
    poll: async () => {
      polls.push(clock.now());
      return Number.POSITIVE_INFINITY;
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  await loop.start();
  clock.jumpTo(startMs - 3_600_000);
  loop.wakeAt(startMs + 5_000);
  await clock.advanceTo(startMs - 3_600_000 + 20_000, settle);
  expect(polls).toEqual([0, 10_000 - 3_600_000, 20_000 - 3_600_000].map((atMs) => startMs + atMs));
  await loop.stop();
});
