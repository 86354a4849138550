import { expect, test } from 'vitest';
import { stageRealPage } from './real-page.ts';

const { page, composer, messages, running } = stageRealPage('/');

/** Presses a key until the focus is on what is wanted; a person would give up after a while. */
async function pressUntil(key: string, selector: string): Promise<void> {
  const isThere = () =>
    page().evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`);
  for (let pressed = 0; pressed < 12 && !(await isThere()); pressed += 1) await page().keyboard.press(key);
  expect(await isThere()).toBe(true);
}

/** Reboots a server from an empty page without a pointer, up to the press on the card. */
async function rebootByKeys(vps: string): Promise<void> {
  const { keyboard } = page();
  await composer().waitFor();
  await pressUntil('F6', '.composer textarea');
  await keyboard.type('/v');
  await page()
    .getByRole('option', { name: /^\/vps/ })
    .waitFor();
  await keyboard.press('Tab');
  await expect.poll(() => composer().inputValue()).toBe('/vps ');
  await keyboard.type(`reboot ${vps}`);
  await keyboard.press('Enter');
  await messages().getByText(`Reboot ${vps}?`).waitFor();
  await keyboard.press('Shift+Tab');
  await expect.poll(focused).toBe('Cancel');
  await keyboard.press('Shift+Tab');
  await expect.poll(focused).toBe('Reboot');
  await keyboard.press('Enter');
}

const focused = () => page().evaluate<string>('document.activeElement.textContent');

test('the keyboard alone reboots a server from an empty page, and goes on from there', async () => {
  await rebootByKeys('VPS-10001');

  const told = messages().filter({ hasText: '🔄 Under way' });
  await told.waitFor();
  expect(await page().getByText('Reboot VPS-10001?', { exact: true }).count()).toBe(0);
  expect(await running().service.changes()).toMatchObject([
    { path: '/v1/vps/VPS-10001/action', body: { action: 'reboot' }, status: 200 },
  ]);

  await pressUntil('F6', '.composer textarea');
  await page().keyboard.press('Shift+Tab');
  await expect.poll(focused).toBe('Live');
  await page().keyboard.press('Enter');
  await messages().getByText('VPS-10001 right now').waitFor();
});

test('the focus stays among the messages when the card that had it goes', async () => {
  await rebootByKeys('VPS-10002');
  await messages().filter({ hasText: 'Reboot VPS-10002' }).filter({ hasText: '🔄 Under way' }).waitFor();
  const isAmongMessages = () =>
    page().evaluate<boolean>(`document.activeElement.closest('.message') !== null`);
  expect(await isAmongMessages()).toBe(true);
});
