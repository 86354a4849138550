import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../services/chromium.ts';
import { granted, type RunningStack, startStack } from '../stack.ts';

let running: RunningStack;
let browser: Browser;

beforeAll(async () => {
  [running, browser] = await Promise.all([
    startStack({ grants: [...granted('change', 'U0BOB'), ...granted('look', 'U0CAROL')] }),
    launchChromium(),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await running?.close();
});

/** Opens the workspace as a person of it, in a browser of their own. */
async function sitDown(user: string, channel = 'C0OPS') {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${running.slack.url}/#T0ACME/${user}/${channel}`);
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
    press: (name: string) => pressIn(page, name),
    close: () => context.close(),
  };
}

async function pressIn(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).last().click();
}

test('Alice asks, Bob approves on his own page, and both see both names', async () => {
  const [alice, bob] = await Promise.all([sitDown('U0ALICE'), sitDown('U0BOB')]);
  await alice.type('/vps approval require disturb --channel #ops');
  await alice.saying('From now on a second person approves').waitFor();
  await alice.type('/vps reboot VPS-10001');
  await alice.press('Reboot');
  await alice.saying('Waiting for a second person').waitFor();
  expect(await running.service.changes()).toEqual([]);

  await bob.saying('wants').waitFor();
  await bob.press('Approve');

  for (const { saying } of [alice, bob]) {
    const told = saying('Reboot VPS-10001').filter({ hasText: '✅ Done' });
    await told.getByText(/asked by .*alice.* approved by .*bob/i).waitFor();
  }
  expect(await running.service.changes()).toMatchObject([{ path: '/v1/vps/VPS-10001/action' }]);
  await alice.type('/vps approval drop disturb');
  await Promise.all([alice.close(), bob.close()]);
});

test('Carol is refused, asks for the right, Alice grants it, and Carol goes on', async () => {
  const [carol, alice] = await Promise.all([sitDown('U0CAROL'), sitDown('U0ALICE', 'D0ALICE')]);
  await carol.type('/vps snapshot create VPS-10002 mine');
  await carol.saying('You lack the right to change something on VPS-10002').waitFor();
  expect(await running.service.changes()).toHaveLength(1);
  await carol.press('Ask for It');
  await carol.saying('Asked one person for change on VPS-10002').waitFor();

  await alice.saying('asks for a right').waitFor();
  await alice.press('Grant');
  await alice.saying('Granted: change on VPS-10002').waitFor();

  await carol.type('/vps snapshot create VPS-10002 mine');
  await carol.saying('Take snapshot mine of VPS-10002').getByText('✅ Done').waitFor();
  expect(await running.service.changes()).toHaveLength(2);
  await Promise.all([carol.close(), alice.close()]);
});
