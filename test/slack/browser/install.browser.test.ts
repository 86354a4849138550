import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { sharedChromium } from 'slack-sandbox/testing';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningStack, startStack } from '../../stack.ts';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

let browser: Browser;
let running: RunningStack;
let page: Page;
beforeAll(async () => {
  browser = await sharedChromium();
});
beforeEach(async () => {
  running = await startStack();
  page = await browser.newPage();
});
afterEach(async () => {
  await page.close();
  await running.close();
});

/** Axe runs from outside, since the pages' policy allows no script. */
async function seriousProblems(): Promise<string[]> {
  const context = await browser.newContext({ bypassCSP: true, colorScheme: 'light' });
  const copy = await context.newPage();
  await copy.setContent(await page.content());
  await copy.addScriptTag({ path: axePath });
  const found: unknown = await copy.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id }) => id))',
  );
  await context.close();
  return Array.isArray(found) ? found.map(String) : ['axe did not run'];
}

describe('a person who installs the app', () => {
  test('gets from the install page through Slack to the next steps', async () => {
    await page.goto(`${running.serverUrl}/slack/install`);
    expect(await page.title()).toBe('Add Rackhand to Slack · Rackhand');
    expect(await seriousProblems()).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByLabel('Workspace and user').selectOption('T0INITECH/U0ERIN');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Rackhand is installed in Initech', exact: true }).waitFor();
    expect(await page.getByText('/vps connect').isVisible()).toBe(true);
    expect(await seriousProblems()).toEqual([]);
    await page.getByRole('link', { name: 'Open Slack' }).click();
    await page.waitForURL(/#T0INITECH/);
    await expect.poll(() => page.getByText('Initech').first().isVisible()).toBe(true);
  });
});
