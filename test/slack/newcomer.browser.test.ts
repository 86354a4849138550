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
  await page.goto(`${running.slack.url}/#T0ACME/U0ALICE/C0OPS`);
});

afterAll(async () => {
  await browser.close();
  await running.close();
});

async function type(text: string): Promise<void> {
  const composer = page.getByRole('textbox', { name: /^Message / });
  await composer.fill(text);
  await composer.press('Enter');
}

test('a newcomer reboots a server by clicks, and sees it end', async () => {
  await type('/vps reboot VPS-10001');
  await page.getByText('Reboot VPS-10001?').waitFor();
  await page.getByRole('button', { name: 'Reboot', exact: true }).click();
  await page.getByText('✅ Done').waitFor();
  expect(await page.getByText('Reboot VPS-10001?').count()).toBe(0);
  expect(await running.service.changes()).toMatchObject([{ path: '/v1/vps/VPS-10001/action', status: 200 }]);
});

test('a newcomer takes a snapshot by the form', async () => {
  await type('/vps snapshot create');
  const form = page.getByRole('dialog');
  await form.getByRole('combobox', { name: 'VPS' }).click();
  await page.keyboard.type('10003');
  await page.getByRole('option', { name: /VPS-10003/ }).click();
  await form.getByRole('textbox', { name: 'Name' }).fill('before-upgrade');
  await form.getByRole('button', { name: 'Take Snapshot' }).click();
  await page.getByText('Snapshot before-upgrade of VPS-10003 is taken').waitFor();
  expect((await running.service.changes()).at(-1)).toMatchObject({ body: { name: 'before-upgrade' } });
});
