import { expect, test } from 'vitest';
import { createHostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import { startSandbox } from './running-sandbox.ts';

const { Request, Response } = globalThis;

test('the page needs no key, and runs nothing but its own script', async () => {
  const sandbox = await startSandbox();
  const { status, headers, text } = await sandbox.call('GET', '/', { key: null });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('text/html');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
  expect(text).toContain('<script type="module" src="/page/client.js">');
  const script = await sandbox.call('GET', '/page/client.js', { key: null });
  expect(script.headers.get('content-type')).toContain('text/javascript');
  expect(script.text).not.toContain('sourceMappingURL');
  expect((await sandbox.call('GET', '/page/page.css', { key: null })).text).toContain(
    'color-scheme: light dark',
  );
  expect((await sandbox.call('GET', '/sandbox/calls')).body).toEqual({ calls: [] });
});

test('what a browser asks for beside the page is no call', async () => {
  const sandbox = await startSandbox();
  expect((await sandbox.call('GET', '/favicon.ico', { key: null })).status).toBe(204);
  expect((await sandbox.call('GET', '/sandbox/calls')).body).toEqual({ calls: [] });
});

test('a port that is taken keeps the sandbox from starting', async () => {
  const { port } = await startSandbox();
  await expect(createHostingSandbox({ port })).rejects.toThrow(
    `Port ${port} of 127.0.0.1 is in use by another process`,
  );
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
