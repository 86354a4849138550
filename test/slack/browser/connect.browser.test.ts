import type { Page } from 'playwright-core';
import { sharedChromium } from 'slack-sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningStack, startStack } from '../../stack.ts';

let running: RunningStack;
let page: Page;

beforeAll(async () => {
  running = await startStack();
  page = await (await sharedChromium()).newPage();
  // Shorter than the test's limit, so that the failed step is named.
  page.setDefaultTimeout(25_000);
  await page.goto(`${running.slack.url}/#T0GLOBEX/U0GWEN/C0GLOBEX`);
});

afterAll(async () => {
  await page?.close();
  await running.close();
});

async function type(text: string): Promise<void> {
  const composer = page.getByRole('textbox', { name: /^Message / });
  await composer.fill(text);
  await composer.press('Enter');
}

test('Globex connects its key: an error is shown at the field, a valid key shows its permissions', async () => {
  await type('/vps list');
  await page.getByRole('button', { name: 'Connect…' }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByRole('textbox', { name: 'API key' });
  await field.fill('mistyped');
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await dialog.getByText('rejected this key').waitFor();
  await field.fill('sandbox-key-read');
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await dialog.getByText('Connected to Hosting sandbox').waitFor();
  await dialog.getByText(/Not available without vps\.manage: .*reboot/).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  // Focus returns to its previous place when the modal closes.
  await dialog.waitFor({ state: 'detached' });
  await type('/vps list');
  await page.getByText('12 VPS').first().waitFor();
  expect(await page.getByText('sandbox-key-read').count()).toBe(0);
});
