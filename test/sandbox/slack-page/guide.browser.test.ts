import type { BrowserContext, Page } from 'playwright-core';
import { sharedChromium } from 'slack-sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningStack, startStack } from '../../stack.ts';

let running: RunningStack;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  running = await startStack();
  context = await (await sharedChromium()).newContext({ reducedMotion: 'reduce' });
  page = await context.newPage();
  await page.goto(`${running.slack.url}/#T0ACME/U0ALICE/C0OPS`);
});

afterAll(async () => {
  await context?.close();
  await running?.close();
});

const guide = () => page.getByRole('region', { name: 'Your first minute' });
const step = (title: string) => guide().getByRole('listitem').filter({ hasText: title });
const composer = () => page.getByRole('textbox', { name: /^Message / });

test('the guide is open at first, and can be closed and reopened, also from an empty channel', async () => {
  await guide().getByText('0 of 6 done').waitFor();
  await page.getByRole('button', { name: 'Close workbench' }).click();
  await expect.poll(() => guide().count()).toBe(0);
  await page.reload();
  await composer().waitFor();
  expect(await guide().count()).toBe(0);
  await page.getByRole('button', { name: 'Guide', exact: true }).click();
  await guide().waitFor();
  await page.getByRole('button', { name: 'Close workbench' }).click();
  await page.getByRole('button', { name: 'Open the Guide' }).click();
  await guide().waitFor();
});

test("a reboot by real clicks completes its step, but only after the service's response", async () => {
  await guide().getByRole('button', { name: 'Try it: Reboot a server' }).click();
  await expect.poll(() => composer().inputValue()).toBe('/vps reboot VPS-10001');
  await composer().press('Enter');
  const card = page.getByRole('button', { name: /^Reboot web-01 \(VPS-10001\)$/ });
  await card.waitFor();
  await running.service.fault('slow:3000', { method: 'POST' });
  await card.click();
  await expect.poll(running.service.changes).toHaveLength(1);
  expect(await step('Reboot a server').getByText('Done', { exact: true }).count()).toBe(0);
  await step('Reboot a server').getByText('Done', { exact: true }).waitFor();
  await guide().getByText('1 of 6 done').waitFor();
});
