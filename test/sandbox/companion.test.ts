import { createSlackSandbox } from 'slack-sandbox';
import { collectEvents } from 'slack-sandbox/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHostingSandbox } from '../../src/sandbox/hosting/sandbox.ts';
import { manifestPath } from '../stack.ts';

const json = { 'content-type': 'application/json' };

describe('the companion service', () => {
  async function startBoth() {
    const hosting = await createHostingSandbox({ port: 0 });
    const companion = { name: 'Hosting service', url: hosting.url };
    const slack = await createSlackSandbox({ port: 0, manifest: manifestPath, companion });
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

  test('can be made to fail from here', async () => {
    const { hosting, at } = await startBoth();
    const body = JSON.stringify({ fault: 'status:503', path: '/v1/*', times: 2 });
    await fetch(`${at}/faults`, { method: 'POST', headers: json, body });
    expect(
      (await fetch(`${hosting.url}/v1/vps`, { headers: { 'x-api-key': 'sandbox-key-full' } })).status,
    ).toBe(503);
    expect(await (await fetch(`${at}/faults`)).json()).toMatchObject({
      waiting: [{ fault: 'status:503', path: '/v1/*', times: 1 }],
      struck: [{ fault: 'status:503', method: 'GET', path: '/v1/vps' }],
      kinds: expect.arrayContaining([expect.objectContaining({ name: 'timeout' })]),
      routes: expect.arrayContaining([expect.objectContaining({ path: '/v1/vps/{vps_name}/action' })]),
    });
    expect(await (await fetch(`${at}/faults`, { method: 'DELETE', headers: json })).json()).toMatchObject({
      waiting: [],
    });
  });

  test('rejects requests with its own errors', async () => {
    const { at } = await startBoth();
    const response = await fetch(`${at}/faults`, {
      method: 'POST',
      headers: json,
      body: '{"fault":"earthquake"}',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining('earthquake') },
    });
  });

  test('reports its calls as they happen', async () => {
    const { at } = await startBoth();
    const heard = await collectEvents(`${at}/events`);
    await expect.poll(() => heard).toEqual([{ kind: 'alive' }]);
    await fetch(`${at}/faults`, { method: 'POST', headers: json, body: '{"fault":"timeout"}' });
    await expect.poll(() => heard.slice(1)).toEqual([{ kind: 'faults' }]);
  });

  test('is available only under its control API', async () => {
    const { at } = await startBoth();
    expect((await fetch(`${at}/%2e%2e/openapi.json`)).status).toBe(404);
    expect((await fetch(`${at}/..%2fopenapi.json`)).status).toBe(404);
  });

  test('can be unavailable', async () => {
    const { hosting, at } = await startBoth();
    await hosting.close();
    const response = await fetch(`${at}/faults`);
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({
      error: expect.stringContaining('Hosting service does not answer'),
    });
  });
});
