import { expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { createManualClock } from '../../jobs/clocks/manual-clock.ts';
import { createBrowserHarness } from './browser-harness.ts';

const minuteMs = 60_000;
const clock = createManualClock(Date.now());

const { messages, modal, type } = createBrowserHarness('/#T0ACME/U0ALICE/C0OPS', { clock });

test('a report scheduled by clicks is posted in the channel at its time', async () => {
  const dueMs = Math.ceil(clock.now() / minuteMs) * minuteMs + 14 * minuteMs;
  const at = new Date(dueMs).toISOString().slice(11, 16);
  await type('/vps report add');
  const form = modal();
  const field = (name: string) => form.getByRole('textbox', { name: new RegExp(`^${name}`) });
  await field('Time zone').fill('UTC');
  await field('Time zone').press('Enter');
  await form.getByText('Every day at 09:00, UTC.').waitFor();
  await field('At').fill(at);
  await field('At').press('Enter');
  await form.getByText(`Every day at ${at}, UTC.`).waitFor();

  await form.getByRole('combobox', { name: 'How often' }).click();
  await form.getByRole('option', { name: 'By cron expression' }).click();
  await field('Cron expression').waitFor();
  expect(await field('At').count()).toBe(0);
  await form.getByRole('combobox', { name: 'How often' }).click();
  await form.getByRole('option', { name: 'Every day' }).click();
  await expect.poll(() => field('At').inputValue()).toBe(at);

  await field('Name').fill('By clicks');
  await form.getByRole('button', { name: 'Schedule' }).click();
  await messages().getByText('Report "By clicks" is scheduled', { exact: true }).waitFor();
  await form.waitFor({ state: 'detached' });

  const post = messages().filter({ hasText: /of 12 need a look/ });
  await eventually(
    async () => {
      await clock.advanceTo(dueMs, () => new Promise((resolve) => setImmediate(resolve)));
      expect(await post.count()).toBe(1);
    },
    { intervalMs: 100 },
  );
  await post
    .getByText(/worker-01 \(VPS-10004\) CPU/)
    .first()
    .waitFor();
  await post.getByRole('img').first().waitFor();
});
