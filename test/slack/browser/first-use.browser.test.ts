import { expect, test } from 'vitest';
import { createBrowserHarness } from './browser-harness.ts';

const { page, messages, modal, running, type } = createBrowserHarness();

test('a newcomer reboots a VPS by clicks and sees it finish', async () => {
  await type('/vps reboot VPS-10001');
  const card = messages().getByText('Reboot web-01 (VPS-10001)?');
  await card.waitFor();
  await messages()
    .getByRole('button', { name: /^Reboot / })
    .click();
  await messages().getByText('🔄 In progress').waitFor();
  await messages().getByText('✅ Done').waitFor();
  await messages().getByText('web-01 (VPS-10001) is running now.').waitFor();
  expect(await card.count()).toBe(0);
  expect(await running().service.changes()).toMatchObject([
    { path: '/v1/vps/VPS-10001/action', status: 200 },
  ]);
});

test('a newcomer takes a snapshot with the form', async () => {
  await type('/vps snapshot create');
  await modal().getByRole('combobox', { name: 'VPS' }).click();
  await page().keyboard.type('10003');
  await page()
    .getByRole('option', { name: /VPS-10003/ })
    .click();
  await modal().getByRole('textbox', { name: 'Name' }).fill('before-upgrade');
  await modal().getByRole('button', { name: 'Take Snapshot' }).click();
  await messages().getByText('Snapshot before-upgrade of api-01 (VPS-10003) is being taken').waitFor();
  expect((await running().service.changes()).at(-1)).toMatchObject({ body: { name: 'before-upgrade' } });
});
