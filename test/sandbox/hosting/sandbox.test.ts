import { expect, test } from 'vitest';
import { createHostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import { startHostingSandbox } from './hosting-sandbox-fixture.ts';

const { Request, Response } = globalThis;

test('the page needs no key, and runs only its own script', async () => {
  const sandbox = await startHostingSandbox();
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

test("a browser's other requests for the page are not calls", async () => {
  const sandbox = await startHostingSandbox();
  expect((await sandbox.call('GET', '/favicon.ico', { key: null })).status).toBe(204);
  expect((await sandbox.call('GET', '/sandbox/calls')).body).toEqual({ calls: [] });
});

test('a port in use keeps the sandbox from starting', async () => {
  const { port } = await startHostingSandbox();
  await expect(createHostingSandbox({ port })).rejects.toThrow(
    `Port ${port} of 127.0.0.1 is in use by another process`,
  );
});

test('the sandbox can be closed twice, and frees the port', async () => {
  const first = await startHostingSandbox();
  await first.close();
  await first.close();
  const second = await startHostingSandbox({ port: first.port });
  expect((await second.call('GET', '/v1')).status).toBe(200);
});

test('a latency delays every call', async () => {
  const sandbox = await startHostingSandbox({ latencyMs: 40 });
  const startedMs = performance.now();
  expect((await sandbox.call('GET', '/v1')).status).toBe(200);
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(39);
});

test('starting a sandbox does not change the globals of the process', async () => {
  await startHostingSandbox();
  expect(globalThis.Request).toBe(Request);
  expect(globalThis.Response).toBe(Response);
});

test('a website in a local browser can neither call nor control the service', async () => {
  const { url, close } = await createHostingSandbox({ port: 0 });
  const crossSite = {
    method: 'POST',
    headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  };
  expect((await fetch(`${url}/sandbox/reset`, crossSite)).status).toBe(403);
  expect((await fetch(`${url}/v1/vps/VPS-10001/action`, crossSite)).status).toBe(403);
  expect(
    (await fetch(`${url}/sandbox/reset`, { method: 'POST', headers: { 'content-type': 'application/json' } }))
      .status,
  ).toBe(200);
  await close();
});
