import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../services/chromium.ts';
import { type RunningStack, startStack } from '../stack.ts';

let running: RunningStack;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  running = await startStack();
  browser = await launchChromium();
  page = await browser.newPage();
  // Less than the test has, so that it says where it stands.
  page.setDefaultTimeout(25_000);
  await page.goto(`${running.slack.url}/#T0GLOBEX/U0GWEN/C0GLOBEX`);
});

afterAll(async () => {
  await browser?.close();
  await running.close();
});

async function type(text: string): Promise<void> {
  const composer = page.getByRole('textbox', { name: /^Message / });
  await composer.fill(text);
  await composer.press('Enter');
}

test('Globex connects its key: a wrong one is said beside the field, a right one shows what it may do', async () => {
  await type('/vps list');
  await page.getByRole('button', { name: 'Connect…' }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByRole('textbox', { name: 'API key' });
  await field.fill('mistyped');
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await dialog.getByText('does not accept this key').waitFor();
  await field.fill('sandbox-key-read');
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await dialog.getByText('Connected to Hosting sandbox').waitFor();
  await dialog.getByText(/Without vps\.manage these do not work: .*reboot/).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  // Focus goes back to where it was as the dialog goes.
  await dialog.waitFor({ state: 'detached' });
  await type('/vps list');
  await page.getByText('12 VPS').first().waitFor();
  expect(await page.getByText('sandbox-key-read').count()).toBe(0);
});
