import { expect, test } from 'vitest';
import { stageRealPage } from './real-page.ts';

const stage = stageRealPage('/#T0ACME/U0BOB/C0OPS');

/** Goes on as somebody else, somewhere else. */
async function as(user: string, channel = 'C0OPS'): Promise<void> {
  await stage.page().goto(`${stage.running().slack.url}/#T0ACME/${user}/${channel}`);
  await stage.page().reload();
}

test('somebody who is refused asks for the right, and gets it', async () => {
  const page = stage.page();
  await stage.type('/vps reboot VPS-10001');
  await page.getByText('You lack the right to change something on VPS-10001').first().waitFor();
  await page.getByRole('button', { name: 'Ask for It' }).click();
  await page.getByText('Asked one person for change on VPS-10001').first().waitFor();

  await as('U0ALICE', 'D0ALICE');
  await page.getByText('asks for a right').first().waitFor();
  await page.getByRole('button', { name: 'Grant', exact: true }).click();
  await page.getByText('✅ Granted by').first().waitFor();

  await as('U0BOB');
  await stage.type('/vps reboot VPS-10001');
  await page.getByText('Reboot VPS-10001?').first().waitFor();
});

test('an owner sees who may do what, grants, and takes back', async () => {
  await as('U0ALICE');
  const page = stage.page();
  const dialog = stage.modal();
  await stage.type('/vps access');
  await dialog.getByText('Owners and admins').waitFor();
  await dialog.getByRole('button', { name: 'Grant…' }).click();
  await dialog.getByText('User groups').waitFor();
  await dialog.getByRole('combobox', { name: 'User groups' }).click();
  await page.getByRole('option', { name: /on-call/ }).click();
  await dialog.getByRole('radio', { name: /^change/ }).check();
  await dialog.getByRole('button', { name: 'Grant', exact: true }).click();
  await dialog.getByText('Granted: change on all VPS').waitFor();
  await dialog.getByText('@on-call').waitFor();

  // First of the list is what Bob was granted before, then what was granted now.
  await dialog.getByRole('button', { name: 'Revoke' }).nth(1).click();
  const question = page.getByRole('dialog').filter({ hasText: 'Revoke this?' });
  await question.getByRole('button', { name: 'Revoke', exact: true }).last().click();
  await dialog.getByText('✅ Revoked').waitFor();
  expect(await dialog.getByText('@on-call').count()).toBe(0);
});
