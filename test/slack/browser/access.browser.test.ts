import { expect, test } from 'vitest';
import { createBrowserHarness } from './browser-harness.ts';

const stage = createBrowserHarness('/#T0ACME/U0BOB/C0OPS');

/** Continues as another person, in another channel. */
async function as(user: string, channel = 'C0OPS'): Promise<void> {
  await stage.page().goto(`${stage.running().slack.url}/#T0ACME/${user}/${channel}`);
  await stage.page().reload();
}

test('a person who is denied requests the right and gets it', async () => {
  const page = stage.page();
  await stage.type('/vps reboot VPS-10001');
  await page.getByText("You don't have permission to operate web-01 (VPS-10001)").first().waitFor();
  await page.getByRole('button', { name: 'Request Access' }).click();
  await page.getByText('Asked one admin for operate on web-01 (VPS-10001)').first().waitFor();

  await as('U0ALICE', 'D0ALICE');
  await page.getByText('requests access').first().waitFor();
  await page.getByRole('button', { name: /^Grant: / }).click();
  await page.getByText('✅ Granted by').first().waitFor();

  await as('U0BOB');
  await stage.type('/vps reboot VPS-10001');
  await page.getByText('Reboot web-01 (VPS-10001)?').first().waitFor();
});

test('an owner sees all rights, grants one and revokes it', async () => {
  await as('U0ALICE');
  const page = stage.page();
  const dialog = stage.modal();
  await stage.type('/vps access');
  await dialog.getByText('Owners and admins').waitFor();
  await dialog.getByRole('button', { name: 'Grant…' }).click();
  await dialog.getByText('User groups').waitFor();
  await dialog.getByRole('combobox', { name: 'User groups' }).click();
  await page.getByRole('option', { name: /on-call/ }).click();
  await dialog.getByRole('radio', { name: /^operate/ }).check();
  await dialog.getByRole('button', { name: 'Grant', exact: true }).click();
  await dialog.getByText('Granted: operate on all VPS').waitFor();
  await dialog.getByText('@on-call').waitFor();

  // The list begins with Bob's earlier grant, followed by the new one.
  await dialog.getByRole('button', { name: 'Revoke' }).nth(1).click();
  const question = page.getByRole('dialog').filter({ hasText: 'Revoke this?' });
  await question.getByRole('button', { name: 'Revoke', exact: true }).last().click();
  await dialog.getByText('✅ Revoked').waitFor();
  expect(await dialog.getByText('@on-call').count()).toBe(0);
});
