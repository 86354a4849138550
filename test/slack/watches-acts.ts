import { expect, vi } from 'vitest';
import type { ManualClock } from '../reports/schedule/manual-clock.ts';
import type { RunningStack, SlackMessage } from '../stack.ts';

type Driven = Pick<RunningStack, 'slack' | 'service'>;

const minuteMs = 60_000;

/** Counts the rounds of watches so far: each reads the list of VPS once. */
async function roundsOf({ service }: Driven): Promise<number> {
  return (await service.calls()).filter(({ path }) => path === '/v1/vps').length;
}

/** Lets minutes pass, and waits until the round of each has begun, and so that of the one before has ended. */
export async function passMinutes(running: Driven, clock: ManualClock, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    const before = await roundsOf(running);
    const untilMs = clock.now() + minuteMs;
    await vi.waitFor(
      async () => {
        // The timer of the next round may be set only now.
        await clock.advanceTo(untilMs, () => new Promise((resolve) => setImmediate(resolve)));
        expect(await roundsOf(running)).toBeGreaterThan(before);
      },
      { timeout: 10_000, interval: 10 },
    );
  }
}

/** Gives the messages in which watches tell something in a channel, as Carol sees them: without replies in threads. */
export async function toldIn({ slack }: Driven, channel = 'C0OPS'): Promise<readonly SlackMessage[]> {
  const seen = await slack.messages(channel, 'U0CAROL');
  return seen.filter(
    ({ text, thread_ts, ts }) => /^[⚠✓]/u.test(text) && (thread_ts === undefined || thread_ts === ts),
  );
}

/** Lets minutes pass, whatever begins in them, until something is so. */
export async function passUntil(clock: ManualClock, check: () => Promise<void>): Promise<void> {
  await vi.waitFor(
    async () => {
      await clock.advanceTo(clock.now() + minuteMs, () => new Promise((resolve) => setImmediate(resolve)));
      await check();
    },
    { timeout: 20_000, interval: 50 },
  );
}
