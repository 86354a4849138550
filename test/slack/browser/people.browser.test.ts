import type { Page } from 'playwright-core';
import { setUpReusedPage, sharedChromium } from 'slack-sandbox/testing';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { createManualClock } from '../../jobs/clocks/manual-clock.ts';
import { sandboxLabel } from '../../sandbox-fleet.ts';
import { grantAll } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';

// What people do, with a real browser, in the sandbox's own page.

const minuteMs = 60_000;
const clock = createManualClock(Date.now());
const running = useStack(
  { clock, hosting: { windowMs: 250 }, grants: grantAll('operate', 'U0BOB') },
  'group',
);
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

test("a server's menu in the App Home reboots it", async () => {
  await page.getByRole('link', { name: 'Rackhand' }).click();
  const server = page.locator('.kit-section', { hasText: 'VPS-10003' });
  await server.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Reboot' }).click();
  await modal().getByText('Reboot api-01 (VPS-10003)?').waitFor();
  await modal()
    .getByRole('button', { name: /^Reboot / })
    .click();
  await modal().getByText('your DMs').waitFor();
  await expect
    .poll(running.service.changes)
    .toEqual(expect.arrayContaining([expect.objectContaining({ path: '/v1/vps/VPS-10003/action' })]));

  await modal().getByRole('button', { name: 'Close' }).first().click();
  await page.getByRole('link', { name: 'Messages', exact: true }).click();
  await messages().filter({ hasText: 'Reboot api-01 (VPS-10003)' }).getByText('🔄 In progress').waitFor();
});

/** The last message with a graph, because a repeated test posts another one. */
const graph = () =>
  messages()
    .filter({ has: page.getByRole('img', { name: /^CPU \d.*; Memory .*; Disk .*; Network in .*\.$/ }) })
    .last();

/** Natural width of an image; 0 if it could not be loaded. */
const widthOf = (selector: string) =>
  page.evaluate<number>(`document.querySelector('${selector} img').naturalWidth`);

test('a graph is shown in its message, with its description as alt text', async () => {
  await type('/vps graph VPS-10001 day');
  await graph().waitFor();
  await expect.poll(() => widthOf('.message')).toBe(720);
  await graph().getByText('web-01 (VPS-10001), last day', { exact: true }).waitFor();
  await graph().getByRole('button', { name: 'Last Week' }).waitFor();
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

test('a report scheduled by clicks is posted in the channel at its time', async () => {
  const dueMs = Math.ceil(clock.now() / minuteMs) * minuteMs + 14 * minuteMs;
  const at = new Date(dueMs).toISOString().slice(11, 16);
  await type('/vps report add');
  const form = modal();
  const field = (name: string) => form.getByRole('textbox', { name: new RegExp(`^${name}`) });
  await field('Time zone').fill('UTC');
  await field('Time zone').press('Enter');
  await field('When').fill(`daily ${at}`);
  await field('When').press('Enter');
  await form.getByText(`Every day at ${at}, UTC.`).waitFor();

  await field('Name').fill('By clicks');
  await form.getByRole('button', { name: 'Schedule' }).click();
  await messages().getByText('Report "By clicks" is scheduled', { exact: true }).waitFor();
  await form.waitFor({ state: 'detached' });

  const post = messages().filter({ hasText: /of 12 need a look/ });
  await eventually(
    async () => {
      await clock.advanceTo(dueMs, () => new Promise((resolve) => setImmediate(resolve)));
      expect(await post.count()).toBe(1);
    },
    { intervalMs: 100 },
  );
  await post
    .getByText(/worker-01 \(VPS-10004\) CPU/)
    .first()
    .waitFor();
  await post.getByRole('img').first().waitFor();
});

test('Alice requests a reboot, Bob approves it on his own page, and both see both names', async () => {
  const context = await (await sharedChromium()).newContext({ reducedMotion: 'reduce' });
  onTestFinished(() => context.close());
  const bobs = await context.newPage();
  await bobs.goto(`${running.slack.url}/#T0ACME/U0BOB/C0OPS`);
  const press = (one: Page, name: string) => one.getByRole('button', { name, exact: true }).last().click();
  await type('/vps approval require disrupt --channel #ops');
  await messages().filter({ hasText: 'Approval is now required for' }).waitFor();
  await type('/vps reboot VPS-10002');
  await press(page, 'Reboot web-02 (VPS-10002)');
  for (const one of [page, bobs]) await messagesOf(one).filter({ hasText: 'requests this' }).waitFor();
  await press(bobs, 'Approve Reboot: Reboot web-02 (VPS-10002)');
  for (const one of [page, bobs]) {
    const message = messagesOf(one)
      .filter({ hasText: 'Reboot web-02 (VPS-10002)' })
      .filter({ hasText: '🔄 In progress' });
    await message.getByText(/requested by .*alice.* approved by .*bob/i).waitFor();
  }
  const reboots = (await running.service.changes()).filter(({ path }) => path.includes('VPS-10002'));
  expect(reboots).toMatchObject([{ path: '/v1/vps/VPS-10002/action' }]);
});
