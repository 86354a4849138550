import { findSeriousViolations, setUpPage } from 'slack-sandbox/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createHostingSandbox, type HostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import { findFreePort } from '../../services/find-free-port.ts';

const port = await findFreePort();
const url = `http://127.0.0.1:${port}`;
const stage = setUpPage({ sandbox: { companion: { name: 'Hosting service', url } } });
const { page, send, waitForText } = stage;

let hosting: HostingSandbox;
beforeAll(async () => {
  hosting = await createHostingSandbox({ port });
});
afterAll(() => hosting.close());

const open = () => page().getByRole('button', { name: 'Faults', exact: true }).click();
const form = (name: string) => page().getByRole('form', { name });
const slacks = () => page().getByRole('region', { name: 'Between Slack and the app' });
const service = () => page().getByRole('region', { name: 'Hosting service' });

test('a slow response is requested, waits, triggers, and is visible to the person', async () => {
  await open();
  await page().getByText('No pending faults.').first().waitFor();
  await form('Delay the app’s responses').getByRole('spinbutton', { name: 'Milliseconds' }).fill('9000');
  await form('Delay the app’s responses').getByRole('button', { name: 'Delay' }).click();
  await slacks().getByText('ack_delay:9000').waitFor();

  await send('/page hello');
  await slacks().getByRole('list', { name: 'Triggered' }).getByText('ack_delay:9000').waitFor();
  await form('Advance the clock').getByRole('button', { name: '+ 1 min' }).click();
  await waitForText('operation_timeout');
});

test('a fault is requested several times, and cancelled', async () => {
  await open();
  await form('Deliver twice').getByRole('spinbutton', { name: 'Times' }).fill('3');
  await form('Deliver twice').getByRole('button', { name: 'Deliver Twice' }).click();
  await slacks().getByText('duplicate × 3').waitFor();

  await slacks().getByRole('button', { name: 'Cancel All' }).click();
  await slacks().getByText('No pending faults.').waitFor();
});

test("an invalid request shows the sandbox's error beside its field", async () => {
  await open();
  await form('Answer 429').getByRole('combobox', { name: 'Method' }).fill('chat.shout');
  await form('Answer 429').getByRole('button', { name: 'Reject' }).click();
  await form('Answer 429').getByRole('alert').getByText('there is no chat.shout').waitFor();
  stage.expectRefusal(400);
});

test('a method responds with 429, and a trigger is too old', async () => {
  await open();
  await form('Answer 429').getByRole('button', { name: 'Reject' }).click();
  await slacks().getByText('ratelimit:chat.postMessage').waitFor();
  await form('Expire triggers').getByRole('button', { name: 'Expire' }).click();
  await send('/page card');
  await slacks().getByRole('list', { name: 'Triggered' }).getByText('expire_trigger').waitFor();
  await slacks().getByRole('list', { name: 'Triggered' }).getByText('ratelimit:chat.postMessage').waitFor();
});

test('a connection breaks, and another is asked to close', async () => {
  await open();
  await form('Drop a connection').getByRole('button', { name: 'Drop' }).click();
  await slacks().getByRole('list', { name: 'Triggered' }).getByText('drop_socket').waitFor();
  await expect
    .poll(async () => JSON.stringify(await (await fetch(`${stage.url()}/sandbox/workspace`)).json()))
    .toContain('"connections":1');
  await form('Ask the app to reconnect').getByRole('combobox', { name: 'Reason' }).fill('warning');
  await form('Ask the app to reconnect').getByRole('button', { name: 'Disconnect' }).click();
  await slacks().getByRole('list', { name: 'Triggered' }).getByText('disconnect:warning').waitFor();
});

test('the token is revoked, and a reset restores it', async () => {
  await open();
  await page().getByRole('button', { name: 'Revoke' }).click();
  await page().getByText('The token is revoked.').waitFor();
  await page().getByRole('button', { name: 'Reset the Workspace' }).click();
  await expect.poll(() => page().getByText('The token is revoked.').count()).toBe(0);
});

test('the clock advances by the entered time', async () => {
  const facts = z.object({ now: z.number() });
  const now = async () => facts.parse(await (await fetch(`${stage.url()}/sandbox/faults`)).json()).now;
  const before = await now();
  await open();
  await form('Advance the clock').getByRole('spinbutton', { name: 'Minutes' }).fill('90');
  await form('Advance the clock').getByRole('button', { name: 'Advance' }).click();
  await expect.poll(async () => (await now()) - before).toBeGreaterThanOrEqual(90 * 60_000);
});

describe('the hosting service', () => {
  const callVps = async () =>
    (await fetch(`${url}/v1/vps`, { headers: { 'x-api-key': 'sandbox-key-full' } })).status;

  test('fails for one call, which is then listed as affected', async () => {
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

  test('has its own list of faults, and is reset', async () => {
    await open();
    const kinds = service().getByRole('combobox', { name: 'Fault' }).getByRole('option');
    await expect.poll(() => kinds.count()).toBe(6);
    await service().getByRole('combobox', { name: 'Fault' }).selectOption('Never answer');
    await service().getByRole('button', { name: 'Inject Fault' }).click();
    await service().getByRole('list', { name: 'Pending' }).getByText('timeout').waitFor();
    await service().getByRole('button', { name: 'Reset Hosting service' }).click();
    await service().getByText('No pending faults.').waitFor();
  });
});

test.each(['light', 'dark'] as const)(
  'axe finds nothing serious in the fault panel and the inspector, %s',
  async (colorScheme) => {
    await page().emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await stage.post('faults', { fault: 'duplicate' });
    await stage.post('faults', { fault: 'revoke' });
    await open();
    await slacks().getByRole('list', { name: 'Triggered' }).waitFor();
    await service().getByRole('button', { name: 'Inject Fault' }).waitFor();
    expect(await findSeriousViolations(page())).toEqual([]);
    await page().getByRole('tab', { name: 'Inspector' }).click();
    await fetch(`${stage.url()}/api/auth.test`, { headers: { authorization: 'Bearer xoxb-sandbox-acme' } });
    const refused = page()
      .getByRole('list', { name: 'Traffic, newest first' })
      .getByRole('button', { name: /token_revoked/ });
    await refused.first().click();
    await page().getByText('The token was revoked.').waitFor();
    expect(await findSeriousViolations(page())).toEqual([]);
  },
);
