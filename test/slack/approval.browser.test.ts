import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../services/chromium.ts';
import { granted, type RunningStack, startStack } from '../stack.ts';

let running: RunningStack;
let browser: Browser;

beforeAll(async () => {
  [running, browser] = await Promise.all([
    startStack({ grants: granted('change', 'U0BOB') }),
    launchChromium(),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await running?.close();
});

/** Opens the workspace as a person of it, in a browser of their own. */
async function sitDown(user: string) {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(`${running.slack.url}/#T0ACME/${user}/C0OPS`);
  const messages = page.getByRole('log', { name: 'Messages' }).locator('.message');
  return {
    messages,
    /** The messages that say something. */
    saying: (words: string | RegExp) => messages.filter({ hasText: words }),
    async type(text: string) {
      const composer = page.getByRole('textbox', { name: /^Message / });
      await composer.fill(text);
      await composer.press('Enter');
    },
    press: (name: string) => page.getByRole('button', { name, exact: true }).last().click(),
    close: () => context.close(),
  };
}

test('Alice asks, Bob approves on his own page, and both see both names', async () => {
  const [alice, bob] = await Promise.all([sitDown('U0ALICE'), sitDown('U0BOB')]);
  await alice.type('/vps approval require disturb --channel #ops');
  await alice.saying('From now on a second person approves').waitFor();
  await alice.type('/vps reboot VPS-10001');
  await alice.press('Reboot');
  await alice.saying('Waiting for a second person').waitFor();
  expect(await running.service.changes()).toEqual([]);

  await bob.saying('asks for this').waitFor();
  await bob.press('Approve Reboot');

  for (const { saying } of [alice, bob]) {
    const told = saying('Reboot VPS-10001').filter({ hasText: '🔄 Under way' });
    await told.getByText(/asked by .*alice.* approved by .*bob/i).waitFor();
  }
  expect(await running.service.changes()).toMatchObject([{ path: '/v1/vps/VPS-10001/action' }]);
  await Promise.all([alice.close(), bob.close()]);
});
