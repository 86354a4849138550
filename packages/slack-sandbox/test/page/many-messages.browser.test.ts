import { beforeEach, expect, test } from 'vitest';
import { setUpPage } from './fixture/page-fixture.ts';

const { page, composer, messages, lastMessage, waitForText, post } = setUpPage();

const many = 5_000;
const atOnce = 10;

beforeEach(async () => {
  await page().goto('about:blank');
  for (let sent = 0; sent < many; sent += atOnce) {
    const texts = Array.from({ length: atOnce }, (_, index) => `Message number ${sent + index}`);
    await Promise.all(texts.map((text) => post('message', { user: 'U0BOB', channel: 'C0OPS', text })));
  }
  await page().goto('/#T0ACME/U0ALICE/C0OPS');
});

test('a channel of 5,000 messages shows the newest, loads more on request, and stays responsive', async () => {
  await waitForText(`Message number ${many - 1}`);
  expect(await messages().count()).toBe(100);

  const first = messages().first();
  const log = page().getByRole('log', { name: 'Messages' });
  await page().evaluate(`document.querySelector('[role="log"]').scrollTop = 0`);
  const topOf = async () =>
    (await log.getByText(`Message number ${many - 99}`, { exact: true }).boundingBox())?.y;
  const before = await topOf();
  await page().getByRole('button', { name: 'Show earlier messages' }).press('Enter');
  await log.getByText(`Message number ${many - 200}`, { exact: true }).waitFor({ state: 'attached' });
  expect(await messages().count()).toBe(200);
  expect(Math.abs(((await topOf()) ?? 0) - (before ?? 0))).toBeLessThanOrEqual(1);
  expect(await first.innerText()).toContain(`Message number ${many - 200}`);

  await post('message', { user: 'U0CAROL', channel: 'C0OPS', text: 'Something new' });
  await page().getByRole('button', { name: '1 new message' }).click();
  expect(await lastMessage().innerText()).toContain('Something new');
  await lastMessage().waitFor({ state: 'visible' });
  await page().getByRole('button', { name: '1 new message' }).waitFor({ state: 'detached' });

  await page().evaluate(`document.querySelector('[role="log"]').scrollTop = 0`);
  await page().getByRole('button', { name: 'Jump to newest' }).waitFor();
  await post('message', { user: 'U0ALICE', channel: 'C0OPS', text: 'My own words' });
  await waitForText('My own words');
  await page().getByRole('button', { name: 'Jump to newest' }).waitFor({ state: 'detached' });

  const { messages: all } = await (
    await page().request.get('/sandbox/messages?channel=C0OPS&user=U0ALICE')
  ).json();
  await page().goto(`/#T0ACME/U0ALICE/C0OPS/p${all[many - 450].ts}`);
  await page().locator('.message.pointed-at').waitFor();

  const drawnMs = await page().evaluate<number>(`(async () => {
    const field = document.querySelector('.composer textarea');
    field.focus();
    const times = [];
    for (const letter of 'fluid') {
      const began = performance.now();
      document.execCommand('insertText', false, letter);
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      times.push(performance.now() - began);
    }
    return times.sort((a, b) => a - b)[2];
  })()`);
  expect(await composer().inputValue()).toBe('fluid');
  expect(drawnMs).toBeLessThan(100);
});
