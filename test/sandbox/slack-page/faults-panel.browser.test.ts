import { findSeriousViolations, setUpPage } from 'slack-sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHostingSandbox, type HostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import { findFreePort } from '../../services/find-free-port.ts';

const port = await findFreePort();
const url = `http://127.0.0.1:${port}`;
const stage = setUpPage({ sandbox: { companion: { name: 'Hosting service', url } } });
const { page } = stage;

let hosting: HostingSandbox;
beforeAll(async () => {
  hosting = await createHostingSandbox({ port });
});
afterAll(() => hosting.close());

const open = () => page().getByRole('button', { name: 'Faults', exact: true }).click();
const slacks = () => page().getByRole('region', { name: 'Between Slack and the app' });
const service = () => page().getByRole('region', { name: 'Hosting service' });

test('the hosting service fails for one call, which is then listed as affected', async () => {
  const callVps = async () =>
    (await fetch(`${url}/v1/vps`, { headers: { 'x-api-key': 'sandbox-key-full' } })).status;
  await open();
  await service().getByRole('combobox', { name: 'Fault' }).selectOption('Answer with a status');
  await service().getByRole('combobox', { name: 'For which call' }).fill('GET /v1/vps');
  await service().getByRole('spinbutton', { name: 'Status' }).fill('418');
  await service().getByRole('button', { name: 'Inject Fault' }).click();
  await service().getByText('status:418 GET /v1/vps').waitFor();
  expect(await callVps()).toBe(418);
  await service().getByRole('list', { name: 'Triggered' }).getByText('status:418').waitFor();
  expect(await callVps()).toBe(200);
});

test('axe finds nothing serious in the fault panel and the inspector, light or dark', async () => {
  const expectAccessible = async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page().emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await findSeriousViolations(page()), colorScheme).toEqual([]);
    }
  };
  await stage.post('faults', { fault: 'duplicate' });
  await stage.post('faults', { fault: 'revoke' });
  await open();
  await slacks().getByRole('list', { name: 'Triggered' }).waitFor();
  await service().getByRole('button', { name: 'Inject Fault' }).waitFor();
  await expectAccessible();
  await page().getByRole('tab', { name: 'Inspector' }).click();
  await fetch(`${stage.url()}/api/auth.test`, { headers: { authorization: 'Bearer xoxb-sandbox-acme' } });
  const refused = page()
    .getByRole('list', { name: 'Traffic, newest first' })
    .getByRole('button', { name: /token_revoked/ });
  await refused.first().click();
  await page().getByText('The token was revoked.').waitFor();
  await expectAccessible();
});
