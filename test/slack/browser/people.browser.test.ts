import type { Page } from 'playwright-core';
import { setUpReusedPage } from 'slack-sandbox/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sandboxLabel } from '../../sandbox-fleet.ts';
import { grantAll } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';

// What people do, with a real browser, in the sandbox's own page.

const running = useStack({ hosting: { windowMs: 250 }, grants: grantAll('operate', 'U0BOB') }, 'group');
const reused = setUpReusedPage(() => ({ reducedMotion: 'reduce', timezoneId: 'UTC' }));

let page: Page;
let faults: string[] = [];
beforeEach(async () => {
  page = await reused.take();
  faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await page.goto(`${running.slack.url}/#T0ACME/U0ALICE/C0OPS`);
});
afterEach(() => expect(faults).toEqual([]));

const composer = () => page.getByRole('textbox', { name: /^Message / });
const messages = () => page.getByRole('log', { name: 'Messages' }).locator('.message');

/** Presses a key until the focus is on the wanted element, as often as a person would. */
async function pressUntil(key: string, selector: string): Promise<void> {
  const isThere = () => page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`);
  for (let pressed = 0; pressed < 12 && !(await isThere()); pressed += 1) await page.keyboard.press(key);
  expect(await isThere()).toBe(true);
}

/** Reboots a VPS from an empty page without a pointer, up to the card's button. */
async function rebootByKeys(vps: string): Promise<void> {
  const { keyboard } = page;
  await composer().waitFor();
  await pressUntil('F6', '.composer textarea');
  await keyboard.type('/v');
  await page.getByRole('option', { name: /^\/vps/ }).waitFor();
  await keyboard.press('Tab');
  await expect.poll(() => composer().inputValue()).toBe('/vps ');
  await keyboard.type(`reboot ${vps}`);
  await keyboard.press('Enter');
  await messages()
    .getByText(`Reboot ${sandboxLabel(vps)}?`)
    .waitFor();
  await keyboard.press('Shift+Tab');
  await expect.poll(focused).toBe('Cancel');
  await keyboard.press('Shift+Tab');
  await expect.poll(focused).toBe('Reboot');
  await keyboard.press('Enter');
}

const focused = () => page.evaluate<string>('document.activeElement.textContent');

test('the keyboard alone reboots a VPS from an empty page, and keeps working afterwards', async () => {
  await rebootByKeys('VPS-10001');

  const message = messages().filter({ hasText: '🔄 In progress' });
  await message.waitFor();
  expect(await page.getByText('Reboot web-01 (VPS-10001)?', { exact: true }).count()).toBe(0);
  expect(await running.service.changes()).toMatchObject([
    { path: '/v1/vps/VPS-10001/action', body: { action: 'reboot' }, status: 200 },
  ]);

  await pressUntil('F6', '.composer textarea');
  await page.keyboard.press('Shift+Tab');
  await expect.poll(focused).toBe('Live');
  await page.keyboard.press('Enter');
  await messages().getByText('web-01 (VPS-10001) right now').waitFor();
});
