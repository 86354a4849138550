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
