import { expect, test } from 'vitest';
import { createBrowserHarness } from './browser-harness.ts';

const { page, messages, modal, running, type } = createBrowserHarness();

test('clicks create a load balancer with two backends after an input error is corrected', async () => {
  await type('/vps lb create');
  const form = modal();
  const part = (index: number) => ({
    vps: form.getByRole('combobox', { name: 'VPS' }).nth(index),
    port: form.getByRole('textbox', { name: 'Port' }).nth(index),
  });
  const choose = async (index: number, typed: string, vps: string) => {
    await part(index).vps.click();
    await page().keyboard.type(typed);
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
  expect(await running().service.changes()).toEqual([]);
  expect(await part(0).vps.inputValue()).toContain('VPS-10001');

  await part(1).port.fill('8080');
  await form.getByRole('button', { name: 'Create' }).click();

  await messages()
    .filter({ hasText: 'Create load balancer clicks.acme.example' })
    .getByText('✅ Done')
    .waitFor();
  await form.waitFor({ state: 'detached' });
  expect(await running().service.changes()).toMatchObject([
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

test('a restore requires the VPS name to be typed, and accepts no other text', async () => {
  await type('/vps snapshot restore VPS-10001 weekly');
  await messages().getByRole('button', { name: 'Restore…' }).click();
  const name = modal().getByRole('textbox', { name: 'Type VPS-10001 to confirm' });
  await name.fill('VPS-10002');
  await modal().getByRole('button', { name: 'Restore' }).click();
  await modal().getByText("This doesn't match VPS-10001.").waitFor();
  expect(await name.getAttribute('aria-invalid')).toBe('true');
  const restores = async () =>
    (await running().service.changes()).filter(({ path }) => path.endsWith('/restore'));
  expect(await restores()).toEqual([]);

  await name.fill('vps-10001');
  await modal().getByRole('button', { name: 'Restore' }).click();

  await messages()
    .filter({ hasText: 'Restore web-01 (VPS-10001) from snapshot weekly' })
    .getByText('🔄 In progress')
    .waitFor();
  await messages().getByRole('button', { name: 'Restore…' }).waitFor({ state: 'detached' });
  expect(await restores()).toMatchObject([
    { path: '/v1/vps/VPS-10001/snapshots/weekly/restore', status: 200 },
  ]);
});

test("a server's menu in the App Home reboots it", async () => {
  await page().getByRole('link', { name: 'Rackhand' }).click();
  const server = page().locator('.kit-section', { hasText: 'VPS-10003' });
  await server.getByRole('button').click();
  await page().getByRole('menuitem', { name: 'Reboot' }).click();
  await modal().getByText('Reboot api-01 (VPS-10003)?').waitFor();
  await modal()
    .getByRole('button', { name: /^Reboot / })
    .click();
  await modal().getByText('your DMs').waitFor();
  await expect
    .poll(running().service.changes)
    .toEqual(expect.arrayContaining([expect.objectContaining({ path: '/v1/vps/VPS-10003/action' })]));

  await modal().getByRole('button', { name: 'Close' }).first().click();
  await page().getByRole('link', { name: 'Messages', exact: true }).click();
  await messages().filter({ hasText: 'Reboot api-01 (VPS-10003)' }).getByText('🔄 In progress').waitFor();
});
