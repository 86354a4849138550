import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createHostingSandbox, type HostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import { freePort } from '../../services/free-port.ts';
import { seriousFindings } from './page-axe.ts';
import { stagePage } from './page-stage.ts';

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const stage = stagePage({ sandbox: { companion: { name: 'Hosting service', url } } });
const { page, type, shows } = stage;

let hosting: HostingSandbox;
beforeAll(async () => {
  hosting = await createHostingSandbox({ port });
});
afterAll(() => hosting.close());

const open = () => page().getByRole('button', { name: 'Trouble', exact: true }).click();
const form = (name: string) => page().getByRole('form', { name });
const slacks = () => page().getByRole('region', { name: 'Between Slack and the app' });
const service = () => page().getByRole('region', { name: 'Hosting service' });

test('a slow answer is asked for, waits, strikes, and the person sees it', async () => {
  await open();
  await page().getByText('Nothing waits to go wrong.').first().waitFor();
  await form('Slow the app’s answers').getByRole('spinbutton', { name: 'Milliseconds' }).fill('9000');
  await form('Slow the app’s answers').getByRole('button', { name: 'Slow Down' }).click();
  await slacks().getByText('ack_delay:9000').waitFor();

  await type('/page hello');
  await slacks().getByRole('list', { name: 'Struck' }).getByText('ack_delay:9000').waitFor();
  await form('Advance the clock').getByRole('button', { name: '+ 1 min' }).click();
  await shows('operation_timeout');
});

test('a fault is asked for several times, and called off', async () => {
  await open();
  await form('Deliver twice').getByRole('spinbutton', { name: 'Times' }).fill('3');
  await form('Deliver twice').getByRole('button', { name: 'Deliver Twice' }).click();
  await slacks().getByText('duplicate × 3').waitFor();

  await slacks().getByRole('button', { name: 'Call All Off' }).click();
  await slacks().getByText('Nothing waits to go wrong.').waitFor();
});

test('what makes no sense is refused beside its field, in the sandbox’s words', async () => {
  await open();
  await form('Answer 429').getByRole('combobox', { name: 'Method' }).fill('chat.shout');
  await form('Answer 429').getByRole('button', { name: 'Refuse' }).click();
  await form('Answer 429').getByRole('alert').getByText('there is no chat.shout').waitFor();
  stage.expectRefusal(400);
});

test('a method answers 429, and a trigger is too old', async () => {
  await open();
  await form('Answer 429').getByRole('button', { name: 'Refuse' }).click();
  await slacks().getByText('ratelimit:chat.postMessage').waitFor();
  await form('Expire triggers').getByRole('button', { name: 'Expire' }).click();
  await type('/page card');
  await slacks().getByRole('list', { name: 'Struck' }).getByText('expire_trigger').waitFor();
  await slacks().getByRole('list', { name: 'Struck' }).getByText('ratelimit:chat.postMessage').waitFor();
});

test('a connection breaks, and another is told to go', async () => {
  await open();
  await form('Drop a connection').getByRole('button', { name: 'Drop' }).click();
  await slacks().getByRole('list', { name: 'Struck' }).getByText('drop_socket').waitFor();
  await expect
    .poll(async () => JSON.stringify(await (await fetch(`${stage.url()}/sandbox/workspace`)).json()))
    .toContain('"connections":1');
  await form('Ask the app to reconnect').getByRole('combobox', { name: 'Reason' }).fill('warning');
  await form('Ask the app to reconnect').getByRole('button', { name: 'Disconnect' }).click();
  await slacks().getByRole('list', { name: 'Struck' }).getByText('disconnect:warning').waitFor();
});

test('the token is taken away, and a reset gives it back', async () => {
  await open();
  await page().getByRole('button', { name: 'Revoke' }).click();
  await page().getByText('The token is revoked.').waitFor();
  await page().getByRole('button', { name: 'Reset the Workspace' }).click();
  await expect.poll(() => page().getByText('The token is revoked.').count()).toBe(0);
});

test('the clock goes forward by what is typed', async () => {
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

  test('is broken for one call, which then struck', async () => {
    await open();
    await service().getByRole('combobox', { name: 'What goes wrong' }).selectOption('Answer with a status');
    await service().getByRole('combobox', { name: 'On which call' }).fill('GET /v1/vps');
    await service().getByRole('spinbutton', { name: 'Status' }).fill('418');
    await service().getByRole('button', { name: 'Break It' }).click();
    await service().getByText('status:418 GET /v1/vps').waitFor();
    expect(await callVps()).toBe(418);
    await service().getByRole('list', { name: 'Struck' }).getByText('status:418').waitFor();
    expect(await callVps()).toBe(200);
  });

  test('has every kind of fault of its own list, and is reset', async () => {
    await open();
    const kinds = service().getByRole('combobox', { name: 'What goes wrong' }).getByRole('option');
    await expect.poll(() => kinds.count()).toBe(6);
    await service().getByRole('combobox', { name: 'What goes wrong' }).selectOption('Never answer');
    await service().getByRole('button', { name: 'Break It' }).click();
    await service().getByRole('list', { name: 'Waiting' }).getByText('timeout').waitFor();
    await service().getByRole('button', { name: 'Reset Hosting service' }).click();
    await service().getByText('Nothing waits to go wrong.').waitFor();
  });
});

test.each(['light', 'dark'] as const)(
  'axe finds nothing serious in trouble and the inspector, %s',
  async (colorScheme) => {
    await page().emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await stage.post('faults', { fault: 'duplicate' });
    await stage.post('faults', { fault: 'revoke' });
    await open();
    await slacks().getByRole('list', { name: 'Struck' }).waitFor();
    await service().getByRole('button', { name: 'Break It' }).waitFor();
    expect(await seriousFindings(page())).toEqual([]);
    await page().getByRole('tab', { name: 'Inspector' }).click();
    await fetch(`${stage.url()}/api/auth.test`, { headers: { authorization: 'Bearer xoxb-sandbox-acme' } });
    const refused = page()
      .getByRole('list', { name: 'Traffic, newest first' })
      .getByRole('button', { name: /token_revoked/ });
    await refused.first().click();
    await page().getByText('The token was revoked.').waitFor();
    expect(await seriousFindings(page())).toEqual([]);
  },
);
