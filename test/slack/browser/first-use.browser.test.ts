import { expect, test } from 'vitest';
import { createBrowserHarness } from './browser-harness.ts';

const { messages, running, type } = createBrowserHarness();

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
