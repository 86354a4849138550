import { expect, test } from 'vitest';
import { listIpv4Addresses } from '../../../src/hosting/endpoints/ip-addresses.ts';
import { listSshMappings } from '../../../src/hosting/endpoints/proxy-ssh.ts';
import { listVps } from '../../../src/hosting/endpoints/vps.ts';
import { readIpResources } from '../../../src/hosting/payloads/ip-addresses.ts';
import { readSshMappings } from '../../../src/hosting/payloads/ssh-mappings.ts';
import { readVpsList } from '../../../src/hosting/payloads/vps.ts';
import { pageStyles } from '../../../src/sandbox/hosting/paging.ts';
import { peopleCall, startSandboxClientHarness } from '../../hosting/client/client-harness.ts';
import { startHostingSandbox } from './hosting-sandbox-fixture.ts';

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

test.each(pageStyles)('lists in pages (%s) are read completely', async (style) => {
  const { client, sandbox, listCalls } = await startSandboxClientHarness();
  await sandbox.call('POST', '/sandbox/pages', { body: { size: 5, style } });
  const vps = readVpsList(await client.call(listVps, {}, peopleCall));
  const ips = readIpResources(await client.call(listIpv4Addresses, {}, peopleCall));
  const ports = readSshMappings(await client.call(listSshMappings, {}, peopleCall));
  expect([vps.vps.length, ips.resources.length, ports.mappings.length]).toEqual([12, 17, 12]);
  expect([vps.hasMore, ips.hasMore, ports.hasMore]).toEqual([false, false, false]);
  expect(await listCalls()).toHaveLength(3 + 4 + 3);
});

test('lists have a single page by default, and again after a reset', async () => {
  const sandbox = await startHostingSandbox({ vpsCount: 3 });
  const { body: whole } = await sandbox.call('GET', '/v1/vps');
  expect(whole).toEqual({ success: true, data: expect.anything() });
  await sandbox.call('POST', '/sandbox/pages', { body: { size: 2 } });
  const { body } = await sandbox.call('GET', '/v1/vps?page=2');
  expect(body).toMatchObject({
    data: { vps: [{ vps_name: 'VPS-10003' }] },
    meta: { page: 2, per_page: 2, pages: 2, total: 3 },
  });
  expect((await sandbox.call('POST', '/sandbox/pages', { body: { size: -1 } })).status).toBe(400);
  await sandbox.call('POST', '/sandbox/reset');
  expect((await sandbox.call('GET', '/v1/vps')).body).toEqual(whole);
});
