import { describe, expect, onTestFinished, test } from 'vitest';
import { createHostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import { createSlackSandbox } from '../../../src/sandbox/slack/sandbox.ts';
import { fullManifest, startMs, startSandbox, startSocketApp } from './harness.ts';
import { listen } from './listening.ts';

const typed = { user: 'U0BOB', channel: 'C0OPS', command: '/vps' };

async function deleteFaults(url: string, team = 'T0ACME') {
  const response = await fetch(`${url}/sandbox/faults?team=${team}`, { method: 'DELETE' });
  return response.json();
}

describe('the faults', () => {
  test('tell what there is to choose from', async () => {
    const sandbox = await startSandbox();
    expect(await sandbox.get('faults')).toEqual({
      waiting: [],
      struck: [],
      token_revoked: false,
      now: startMs,
      methods: expect.arrayContaining(['chat.postMessage', 'views.open']),
      disconnect_reasons: expect.arrayContaining(['refresh_requested']),
    });
  });

  test('wait until their occasion, and then have struck', async () => {
    const sandbox = await startSandbox();
    await startSocketApp(sandbox, (app) => void app.command('/vps', async ({ ack }) => ack()));
    await sandbox.post('faults', { fault: 'duplicate', times: 2 });
    await sandbox.post('faults', { fault: 'ratelimit:chat.update' });
    expect(await sandbox.get('faults')).toMatchObject({
      waiting: [
        { fault: 'duplicate', times: 2 },
        { fault: 'ratelimit:chat.update', times: 1 },
      ],
      struck: [],
    });
    await sandbox.advance(1000);
    await sandbox.post('slash', typed);
    expect(await sandbox.get('faults')).toMatchObject({
      waiting: [
        { fault: 'duplicate', times: 1 },
        { fault: 'ratelimit:chat.update', times: 1 },
      ],
      struck: [{ fault: 'duplicate', at: startMs + 1000 }],
    });
  });

  test('that strike at once are told, where there was something to strike', async () => {
    const sandbox = await startSandbox();
    await sandbox.post('faults', { fault: 'drop_socket' });
    await sandbox.post('faults', { fault: 'revoke' });
    expect(await sandbox.get('faults')).toMatchObject({ struck: [{ fault: 'revoke' }], token_revoked: true });
  });

  test('that ask a connection to go are told', async () => {
    const sandbox = await startSandbox();
    await startSocketApp(sandbox, () => {});
    await sandbox.post('faults', { fault: 'disconnect:warning', times: 3 });
    expect(await sandbox.get('faults')).toMatchObject({
      struck: Array(3).fill({ fault: 'disconnect:warning' }),
    });
  });

  test('are each workspace’s own', async () => {
    const sandbox = await startSandbox();
    await sandbox.post('faults', { fault: 'duplicate', team: 'T0GLOBEX' });
    expect(await sandbox.get('faults')).toMatchObject({ waiting: [] });
    await deleteFaults(sandbox.url);
    expect(await sandbox.get('faults', { team: 'T0GLOBEX' })).toMatchObject({
      waiting: [{ fault: 'duplicate' }],
    });
  });

  test('can be called off, and do not strike then', async () => {
    const sandbox = await startSandbox();
    await sandbox.post('faults', { fault: 'ratelimit:chat.postMessage' });
    expect(await deleteFaults(sandbox.url)).toMatchObject({ waiting: [] });
    expect(await sandbox.client().chat.postMessage({ channel: 'C0OPS', text: 'Hi' })).toMatchObject({
      ok: true,
    });
  });

  test('go with a reset, which gives the token back', async () => {
    const sandbox = await startSandbox();
    await sandbox.post('faults', { fault: 'duplicate' });
    await sandbox.post('faults', { fault: 'revoke' });
    await sandbox.post('reset');
    expect(await sandbox.get('faults')).toMatchObject({ waiting: [], struck: [], token_revoked: false });
  });
});

describe('what stands beside the workspace', () => {
  async function startBoth() {
    const hosting = await createHostingSandbox({ port: 0 });
    const companion = { name: 'Hosting service', url: hosting.url };
    const slack = await createSlackSandbox({ port: 0, manifest: fullManifest, companion });
    onTestFinished(async () => {
      await slack.close();
      await hosting.close();
    });
    return { hosting, slack, at: `${slack.url}/sandbox/companion` };
  }

  test('is named', async () => {
    const { hosting, at } = await startBoth();
    expect(await (await fetch(at)).json()).toEqual({
      companion: { name: 'Hosting service', url: hosting.url },
    });
  });

  test('is broken from here', async () => {
    const { hosting, at } = await startBoth();
    const body = JSON.stringify({ fault: 'status:503', path: '/v1/*', times: 2 });
    await fetch(`${at}/faults`, { method: 'POST', body });
    expect(
      (await fetch(`${hosting.url}/v1/vps`, { headers: { 'x-api-key': 'sandbox-key-full' } })).status,
    ).toBe(503);
    expect(await (await fetch(`${at}/faults`)).json()).toMatchObject({
      waiting: [{ fault: 'status:503', path: '/v1/*', times: 1 }],
      struck: [{ fault: 'status:503', method: 'GET', path: '/v1/vps' }],
      kinds: expect.arrayContaining([expect.objectContaining({ name: 'timeout' })]),
      routes: expect.arrayContaining([expect.objectContaining({ path: '/v1/vps/{vps_name}/action' })]),
    });
    expect(await (await fetch(`${at}/faults`, { method: 'DELETE' })).json()).toMatchObject({ waiting: [] });
  });

  test('refuses in its own words', async () => {
    const { at } = await startBoth();
    const response = await fetch(`${at}/faults`, { method: 'POST', body: '{"fault":"earthquake"}' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining('earthquake') },
    });
  });

  test('tells what happens as it happens', async () => {
    const { at } = await startBoth();
    const heard = await listen(`${at}/events`);
    await expect.poll(() => heard).toEqual([{ kind: 'alive' }]);
    await fetch(`${at}/faults`, { method: 'POST', body: '{"fault":"timeout"}' });
    await expect.poll(() => heard.slice(1)).toEqual([{ kind: 'faults' }]);
  });

  test('is reached under its control API alone', async () => {
    const { at } = await startBoth();
    expect((await fetch(`${at}/%2e%2e/openapi.json`)).status).toBe(404);
    expect((await fetch(`${at}/..%2fopenapi.json`)).status).toBe(404);
  });

  test('may be away', async () => {
    const { hosting, at } = await startBoth();
    await hosting.close();
    const response = await fetch(`${at}/faults`);
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({
      error: expect.stringContaining('Hosting service does not answer'),
    });
  });

  test('may not be there at all', async () => {
    const sandbox = await startSandbox();
    expect(await sandbox.get('companion')).toEqual({ companion: null });
    await expect(sandbox.get('companion/faults')).rejects.toThrow('404: Nothing stands beside');
  });
});
