import { expect, test } from 'vitest';
import { stageRealPage } from './real-page.ts';

const { page, messages, modal, running, type } = stageRealPage();

test('a newcomer reboots a server by clicks, and sees it end', async () => {
  await type('/vps reboot VPS-10001');
  const card = messages().getByText('Reboot VPS-10001?');
  await card.waitFor();
  await messages().getByRole('button', { name: 'Reboot', exact: true }).click();
  await messages().getByText('🔄 Under way').waitFor();
  await messages().getByText('✅ Done').waitFor();
  await messages().getByText('VPS-10001 is running now.').waitFor();
  expect(await card.count()).toBe(0);
  expect(await running().service.changes()).toMatchObject([
    { path: '/v1/vps/VPS-10001/action', status: 200 },
  ]);
});

test('a newcomer takes a snapshot by the form', async () => {
  await type('/vps snapshot create');
  await modal().getByRole('combobox', { name: 'VPS' }).click();
  await page().keyboard.type('10003');
  await page()
    .getByRole('option', { name: /VPS-10003/ })
    .click();
  await modal().getByRole('textbox', { name: 'Name' }).fill('before-upgrade');
  await modal().getByRole('button', { name: 'Take Snapshot' }).click();
  await messages().getByText('Snapshot before-upgrade of VPS-10003 is being taken').waitFor();
  expect((await running().service.changes()).at(-1)).toMatchObject({ body: { name: 'before-upgrade' } });
});
