import { expect, vi } from 'vitest';
import type { ManualClock } from '../../jobs/clocks/manual-clock.ts';
import type { RunningStack, SlackMessage } from '../../stack.ts';

type DrivenStack = Pick<RunningStack, 'slack' | 'service'>;

const minuteMs = 60_000;

/** Counts the cycles so far. Each cycle lists the VPS once. */
async function countEvaluations({ service }: DrivenStack): Promise<number> {
  return (await service.calls()).filter(({ path }) => path === '/v1/vps').length;
}

/**
 * Advances minute by minute. After each minute, the clock runs at normal speed until the minute's
 * cycle has started, which means that the previous cycle has ended.
 */
export async function advanceMinutes(
  running: DrivenStack,
  clock: ManualClock,
  minutes: number,
): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    const before = await countEvaluations(running);
    const minuteEndMs = clock.now() + minuteMs;
    const waitingSinceMs = performance.now();
    await vi.waitFor(
      async () => {
        // The timer of the next cycle is set when the previous one ends, and can be a bit later.
        const untilMs = minuteEndMs + Math.floor(performance.now() - waitingSinceMs);
        await clock.advanceTo(untilMs, () => new Promise((resolve) => setImmediate(resolve)));
        expect(await countEvaluations(running)).toBeGreaterThan(before);
      },
      { timeout: 100_000, interval: 10 },
    );
  }
}

/** Returns the alert messages in a channel as Carol sees them, without their threads. */
export async function listAlertMessages(
  { slack }: DrivenStack,
  channel = 'C0OPS',
): Promise<readonly SlackMessage[]> {
  const seen = await slack.messages(channel, 'U0CAROL');
  return seen.filter(
    ({ text, thread_ts, ts }) => /^[⚠✅]/u.test(text) && (thread_ts === undefined || thread_ts === ts),
  );
}

/** Advances minute by minute until a check passes. Doesn't wait for cycles. */
export async function advanceUntil(clock: ManualClock, check: () => Promise<void>): Promise<void> {
  await vi.waitFor(
    async () => {
      await clock.advanceTo(clock.now() + minuteMs, () => new Promise((resolve) => setImmediate(resolve)));
      await check();
    },
    { timeout: 100_000, interval: 50 },
  );
}
