import type { BrowserContext, Page } from 'playwright-core';
import { findSeriousViolations, sharedChromium } from 'slack-sandbox/testing';
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

test('the guide is open at first, can be closed and reopened', async () => {
  await guide().getByText('0 of 3 done').waitFor();
  await page.getByRole('button', { name: 'Close workbench' }).click();
  await expect.poll(() => guide().count()).toBe(0);
  await page.reload();
  await composer().waitFor();
  expect(await guide().count()).toBe(0);
  await page.getByRole('button', { name: 'Guide', exact: true }).click();
  await guide().waitFor();
});

test('on a phone the guide is named in the top bar, and opens over the conversation', async () => {
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Close workbench' }).click();
  const button = page.getByRole('button', { name: 'Guide', exact: true });
  await button.getByText('Guide').waitFor();
  expect(
    await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
  ).toBeLessThanOrEqual(0);
  await button.click();
  await guide().getByText('0 of 3 done').waitFor();
  expect((await page.getByRole('complementary', { name: 'Workbench' }).boundingBox())?.width).toBe(390);
  await page.setViewportSize(wide ?? { width: 1280, height: 720 });
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
  await guide().getByText('1 of 3 done').waitFor();
});

test('a form by real keys completes the load balancer', async () => {
  await guide().getByRole('button', { name: 'Try it: Open a load balancer' }).click();
  await composer().press('Enter');
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Domain' }).fill('guide.acme.example');
  await form.getByRole('combobox', { name: 'VPS' }).click();
  await page.keyboard.type('10003');
  await page.getByRole('option', { name: /VPS-10003/ }).click();
  await form.getByRole('textbox', { name: 'Port' }).fill('80');
  await form.getByRole('button', { name: 'Create' }).click();
  await guide().getByText('2 of 3 done').waitFor();
});

test('the received call is viewed on the service’s page, and the guide ends', async () => {
  const [service] = await Promise.all([
    context.waitForEvent('page'),
    guide()
      .getByRole('link', { name: /^Open 127\.0\.0\.1/ })
      .click(),
  ]);
  await service.getByRole('button', { name: /GET/ }).first().click();
  await guide().getByText('2 of 3 done').waitFor();
  await service.getByRole('button', { name: /POST \/v1\/services\/webgate/ }).click();
  await guide().getByText('All done.').waitFor();
  await guide().getByText('Next, read').waitFor();
  await service.close();
  expect(await findSeriousViolations(page)).toEqual([]);

  await guide().getByRole('button', { name: 'Start Over' }).click();
  await guide().getByText('0 of 3 done').waitFor();
});
