import { expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { createManualClock } from '../../jobs/clocks/manual-clock.ts';
import { createBrowserHarness } from './browser-harness.ts';

const minuteMs = 60_000;
const clock = createManualClock(Date.now());

// This test has its own stack: after a report, the checks of the reboot's progress wait a minute for the quota.
const { messages, type } = createBrowserHarness('/#T0ACME/U0ALICE/C0OPS', { clock });

test('a reboot scheduled by a click is announced, and made at its time', async () => {
  const dueMs = Math.ceil(clock.now() / minuteMs) * minuteMs + 30 * minuteMs;
  const [date, time = ''] = new Date(dueMs).toISOString().split('T');
  await type(
    `/vps schedule reboot web-01 "${date} ${time.slice(0, 5)}" --zone UTC --announce 5m --name once`,
  );
  const card = messages().filter({ hasText: 'Schedule this?' });
  await card.getByRole('button', { name: /^Schedule/ }).click();
  await messages().getByText('"once" is scheduled').waitFor();

  const advanceUntil = (untilMs: number, check: () => Promise<void>) =>
    eventually(
      async () => {
        await clock.advanceTo(
          Math.max(untilMs, clock.now() + 1_000),
          () => new Promise((resolve) => setImmediate(resolve)),
        );
        await check();
      },
      { intervalMs: 100 },
    );
  const announced = messages().filter({ hasText: 'Scheduled: Reboot web-01 (VPS-10001)' });
  await advanceUntil(dueMs - 5 * minuteMs, async () => expect(await announced.count()).toBe(1));
  expect(await announced.getByRole('button', { name: /^Skip This Time/ }).count()).toBe(1);
  const done = messages().filter({ hasText: '✅ Reboot web-01 (VPS-10001)' });
  await advanceUntil(dueMs, async () => expect(await done.count()).toBe(1));
  expect(await announced.count()).toBe(0);
});
