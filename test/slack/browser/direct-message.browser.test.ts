import { expect, test } from 'vitest';
import { createBrowserHarness } from './browser-harness.ts';

const { messages, type, running } = createBrowserHarness('/#T0ACME/U0ALICE/U0ALICE');

test('a reboot is typed, confirmed and followed in direct messages', async () => {
  await type('reboot web-01');
  const card = messages().filter({ hasText: 'Reboot web-01 (VPS-10001)?' });
  await card.getByRole('button', { name: 'Reboot web-01 (VPS-10001)', exact: true }).click();
  await messages()
    .getByText(/Done|In progress/)
    .first()
    .waitFor();
  await card.waitFor({ state: 'detached' });
  await expect.poll(() => running().service.changes()).toHaveLength(1);
});
