import type { Browser } from 'playwright-core';
import { sharedChromium } from 'slack-sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { grantAll, type RunningStack, startStack } from '../../stack.ts';

let running: RunningStack;
let browser: Browser;

beforeAll(async () => {
  [running, browser] = await Promise.all([
    startStack({ grants: grantAll('operate', 'U0BOB') }),
    sharedChromium(),
  ]);
});

afterAll(async () => {
  await running?.close();
});

/** Opens the workspace as a person, in their own browser. */
async function openPageAs(user: string) {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(`${running.slack.url}/#T0ACME/${user}/C0OPS`);
  const messages = page.getByRole('log', { name: 'Messages' }).locator('.message');
  return {
    messages,
    /** The messages that contain a text. */
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

test('Alice requests a reboot, Bob approves it on his own page, and both see both names', async () => {
  const [alice, bob] = await Promise.all([openPageAs('U0ALICE'), openPageAs('U0BOB')]);
  await alice.type('/vps approval require disrupt --channel #ops');
  await alice.saying('Approval is now required for').waitFor();
  await alice.type('/vps reboot VPS-10001');
  await alice.press('Reboot web-01 (VPS-10001)');
  await alice.saying('requests this').waitFor();
  expect(await running.service.changes()).toEqual([]);

  await bob.saying('requests this').waitFor();
  await bob.press('Approve Reboot: Reboot web-01 (VPS-10001)');

  for (const { saying } of [alice, bob]) {
    const message = saying('Reboot web-01 (VPS-10001)').filter({ hasText: '🔄 In progress' });
    await message.getByText(/requested by .*alice.* approved by .*bob/i).waitFor();
  }
  expect(await running.service.changes()).toMatchObject([{ path: '/v1/vps/VPS-10001/action' }]);
  await Promise.all([alice.close(), bob.close()]);
});
