import { expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { createManualClock } from '../../jobs/clocks/manual-clock.ts';
import { createBrowserHarness } from './browser-harness.ts';

const minuteMs = 60_000;
const clock = createManualClock(Date.now());

const { running, page, messages, type } = createBrowserHarness('/#T0ACME/U0ALICE/C0OPS', {
  clock,
  hosting: { windowMs: 250, vpsCount: 4 },
});

/** Lets minutes pass until a check succeeds. */
const passUntil = (check: () => Promise<void>) =>
  eventually(
    async () => {
      await clock.advanceTo(clock.now() + minuteMs, () => new Promise((resolve) => setImmediate(resolve)));
      await check();
    },
    { intervalMs: 100 },
  );

test('an alert is acknowledged by a click, and another one is escalated because no one did', async () => {
  for (let vps = 10_001; vps <= 10_004; vps += 1) await running().service.load(`VPS-${vps}`, { cpu: 0.2 });
  await type('/vps watch add VPS-10003 cpu > 90% for 0m --name Taken --notify @on-call --escalate 10m @bob');
  await messages().getByText('Watch "Taken" was added', { exact: true }).waitFor();
  await running().service.load('VPS-10003', { cpu: 0.96 });
  const taken = messages().filter({ hasText: /api-01 \(VPS-10003\): CPU 96%/ });
  await passUntil(async () => expect(await taken.count()).toBe(1));
  await taken.getByText('@on-call').first().waitFor();
  await taken.getByRole('button', { name: /^Acknowledge/ }).click();
  await taken.getByText('Acknowledged by').waitFor();
  expect(await taken.getByRole('button', { name: /^Acknowledge/ }).count()).toBe(0);

  await type('/vps watch add VPS-10004 cpu > 90% for 0m --name Left --escalate 5m @bob');
  await messages().getByText('Watch "Left" was added', { exact: true }).waitFor();
  await running().service.load('VPS-10004', { cpu: 0.97 });
  const left = messages().filter({ hasText: /worker-01 \(VPS-10004\): CPU 97%/ });
  await passUntil(async () => expect(await left.getByText(/^1 reply/).count()).toBe(1));
  await left.getByText('Escalated to').waitFor();
  await left.getByText(/^1 reply/).click();
  const thread = page().getByRole('complementary', { name: 'Thread' });
  await thread.getByText(/Not acknowledged for 5 min: worker-01/).waitFor();
  await thread.getByText('@bob').first().waitFor();
  expect(await taken.getByText(/repl(y|ies)/).count()).toBe(0);
}, 90_000);
