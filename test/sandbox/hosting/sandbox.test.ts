import { expect, test } from 'vitest';
import { createHostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import { startSandbox } from './running-sandbox.ts';

const { Request, Response } = globalThis;

test('the page names the fleet and every route, and needs no key', async () => {
  const sandbox = await startSandbox();
  const { status, headers, text } = await sandbox.call('GET', '/', { key: null });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('text/html');
  expect(text).toContain('color-scheme: light dark');
  expect(text).toContain('VPS-10012');
  expect(text).toContain('/v1/vps/{vps_name}/monitoring/rrd');
});

test('the page shows a key that looks like markup as text', async () => {
  const sandbox = await startSandbox();
  await sandbox.call('POST', '/sandbox/keys', { body: { key: '<script>alert(1)</script>' } });
  const { text } = await sandbox.call('GET', '/');
  expect(text).not.toContain('<script>');
  expect(text).toContain('&lt;script&gt;');
});

test('what a browser asks for beside the page is no call', async () => {
  const sandbox = await startSandbox();
  expect((await sandbox.call('GET', '/favicon.ico', { key: null })).status).toBe(204);
  expect((await sandbox.call('GET', '/sandbox/calls')).body).toEqual({ calls: [] });
});

test('a port that is taken keeps the sandbox from starting', async () => {
  const { port } = await startSandbox();
  await expect(createHostingSandbox({ port })).rejects.toThrow('EADDRINUSE');
});

test('closing twice is closing once, and frees the port', async () => {
  const first = await startSandbox();
  await first.close();
  await first.close();
  const second = await startSandbox({ port: first.port });
  expect((await second.call('GET', '/v1')).status).toBe(200);
});

test('a latency makes every call take its time', async () => {
  const sandbox = await startSandbox({ latencyMs: 40 });
  const startedMs = performance.now();
  expect((await sandbox.call('GET', '/v1')).status).toBe(200);
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(39);
});

test('starting a sandbox leaves the globals of the process alone', async () => {
  await startSandbox();
  expect(globalThis.Request).toBe(Request);
  expect(globalThis.Response).toBe(Response);
});
