import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { listIpv4Addresses } from '../../../src/hosting/endpoints/ip-addresses.ts';
import { listSshMappings } from '../../../src/hosting/endpoints/proxy-ssh.ts';
import { listVps } from '../../../src/hosting/endpoints/vps.ts';
import { readIpResources } from '../../../src/hosting/payloads/ip-addresses.ts';
import { readSshMappings } from '../../../src/hosting/payloads/ssh-mappings.ts';
import { readVpsList } from '../../../src/hosting/payloads/vps.ts';
import { pageStyles } from '../../../src/sandbox/hosting/paging.ts';
import { peopleCall, startSandboxClientHarness } from '../../hosting/client/client-harness.ts';
import { type HostingSandboxFixture, startHostingSandbox } from './hosting-sandbox-fixture.ts';

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

const share = z.number().min(0).max(1);
const amount = z.int().min(0);
const reading = z.object({
  cpu: share,
  maxcpu: z.int().min(1),
  mem: amount,
  maxmem: amount,
  disk: amount,
  maxdisk: amount,
  netin: amount,
  netout: amount,
});
const live = reading.extend({ status: z.string(), uptime: amount });
const history = z.object({ range: z.string(), points: z.array(reading.extend({ time: z.int() })) });
const ranges = [
  { range: 'hour', points: 60, stepSeconds: 60 },
  { range: 'day', points: 96, stepSeconds: 900 },
  { range: 'week', points: 84, stepSeconds: 7_200 },
  { range: 'month', points: 120, stepSeconds: 21_600 },
] as const;

const readLive = (sandbox: HostingSandboxFixture, name = 'VPS-10001') =>
  sandbox.read(`/v1/vps/${name}/monitoring/live`, live);

async function readPoints(sandbox: HostingSandboxFixture, range: string, name = 'VPS-10001') {
  return (await sandbox.read(`/v1/vps/${name}/monitoring/rrd?range=${range}`, history)).points;
}

describe('the history', () => {
  test.each(ranges)('of a $range has $points points, $stepSeconds s apart, up to now', async (expected) => {
    const sandbox = await startHostingSandbox();
    sandbox.advance(12_345_678);
    const points = await readPoints(sandbox, expected.range);
    expect(points).toHaveLength(expected.points);
    const first = points[0]?.time ?? 0;
    expect(points.map(({ time }) => time)).toEqual(
      points.map((_, index) => first + index * expected.stepSeconds),
    );
    const last = points.at(-1)?.time ?? 0;
    expect(last * 1000).toBeLessThanOrEqual(sandbox.nowMs());
    expect((last + expected.stepSeconds) * 1000).toBeGreaterThan(sandbox.nowMs());
  });
});

test('a reboot shows zero while it lasts and leaves a dip in the history', async () => {
  const sandbox = await startHostingSandbox();
  await sandbox.call('POST', '/v1/vps/VPS-10004/action', { body: { action: 'reboot' } });
  expect(await readLive(sandbox, 'VPS-10004')).toMatchObject({ status: 'rebooting', cpu: 0, uptime: 0 });
  sandbox.advance(8_000);
  const unfinished = (await readPoints(sandbox, 'hour', 'VPS-10004')).at(-1);
  expect(unfinished?.cpu).toBeGreaterThan(0.85 / 2);
  expect(unfinished?.cpu).toBeLessThan(0.97 / 2);
  sandbox.advance(52_000);
  const [minute] = (await readPoints(sandbox, 'hour', 'VPS-10004')).slice(-2);
  expect(minute?.cpu).toBeGreaterThan(0.85 * (56 / 60));
  expect(minute?.cpu).toBeLessThan(0.97 * (56 / 60));
  expect(await readLive(sandbox, 'VPS-10004')).toMatchObject({ status: 'running', uptime: 56 });
});
