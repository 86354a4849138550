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

const composerOf = (one: Page) => one.getByRole('textbox', { name: /^Message / });
const messagesOf = (one: Page) => one.getByRole('log', { name: 'Messages' }).locator('.message');
const composer = () => composerOf(page);
const messages = () => messagesOf(page);
const modal = () => page.getByRole('dialog');

async function type(text: string): Promise<void> {
  await composer().fill(text);
  await composer().press('Enter');
}

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

test('clicks create a load balancer with two backends after an input error is corrected', async () => {
  await type('/vps lb create');
  const form = modal();
  const created = async () =>
    (await running.service.changes()).filter(({ path }) => path.endsWith('/load-balancers'));
  const part = (index: number) => ({
    vps: form.getByRole('combobox', { name: 'VPS' }).nth(index),
    port: form.getByRole('textbox', { name: 'Port' }).nth(index),
  });
  const choose = async (index: number, typed: string, vps: string) => {
    await part(index).vps.click();
    await page.keyboard.type(typed);
    await form.getByRole('option', { name: 'VPS-10012' }).waitFor({ state: 'detached' });
    await form.getByRole('option', { name: new RegExp(vps) }).click();
  };
  await form.getByRole('textbox', { name: 'Domain' }).fill('clicks.acme.example');
  await choose(0, 'web-01', 'VPS-10001');
  await part(0).port.fill('80');
  await form.getByRole('button', { name: 'Add Backend' }).click();
  await form.getByText('Backend 2').waitFor();
  await choose(1, 'web-02', 'VPS-10002');
  await part(1).port.fill('80800');
  await form.getByRole('button', { name: 'Create' }).click();

  await expect.poll(() => part(1).port.getAttribute('aria-invalid')).toBe('true');
  expect(await part(0).port.getAttribute('aria-invalid')).not.toBe('true');
  expect(await created()).toEqual([]);
  expect(await part(0).vps.inputValue()).toContain('VPS-10001');

  await part(1).port.fill('8080');
  await form.getByRole('button', { name: 'Create' }).click();

  await messages()
    .filter({ hasText: 'Create load balancer clicks.acme.example' })
    .getByText('✅ Done')
    .waitFor();
  await form.waitFor({ state: 'detached' });
  expect(await created()).toMatchObject([
    {
      method: 'POST',
      path: '/v1/services/webgate/load-balancers',
      body: {
        domain_name: 'clicks.acme.example',
        backends: [
          { vps_name: 'VPS-10001', target_port: 80 },
          { vps_name: 'VPS-10002', target_port: 8080 },
        ],
      },
    },
  ]);
});

test('a secret is shown once, in a modal, and appears nowhere afterwards', async () => {
  await type('/vps backup show VPS-10001');
  const card = messages().filter({ hasText: 'Backup space of web-01 (VPS-10001)' });
  await card.getByRole('button', { name: 'Show Once' }).click();
  await modal().getByText('Password', { exact: true }).waitFor();
  const password = (await modal().locator('pre').last().innerText()).trim();
  expect(password).toMatch(/^\S{12,}$/);
  const everywhere = () => page.locator('html').innerHTML();
  expect(await everywhere()).toContain(password);

  await modal().getByRole('button', { name: 'Done' }).click();

  await modal().waitFor({ state: 'detached' });
  await card.getByRole('button', { name: 'Show Once' }).waitFor({ state: 'detached' });
  await card.getByText(/Password: shown\.$/).waitFor();
  expect(await everywhere()).not.toContain(password);
  await page.reload();
  await messages().first().waitFor();
  expect(await everywhere()).not.toContain(password);
});
