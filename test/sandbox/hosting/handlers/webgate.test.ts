import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type HostingSandboxFixture, startHostingSandbox } from '../hosting-sandbox-fixture.ts';

const base = '/v1/services/webgate';
const counts = z.object({ domains: z.int(), dedicated_ports: z.int(), load_balancers: z.int() });
const port = z.object({ id: z.int(), external_port: z.int(), target_port: z.int(), vps_name: z.string() });
const webgate = z.object({
  quotas: counts,
  usage: counts,
  domains: z.array(z.object({ domain_name: z.string(), vps_name: z.string() })),
  dedicated_ports: z.array(port),
  load_balancers: z.array(z.looseObject({ domain_name: z.string() })),
});
const balanced = {
  domain_name: 'app.acme.example',
  mode: 'leastconn',
  sticky_mode: 'source',
  health_check_path: '/health',
  redirect_https: false,
  websocket_enabled: true,
  backends: [{ vps_name: 'VPS-10001', target_port: 8080 }],
};

const createDomain = (sandbox: HostingSandboxFixture, domain_name: string, vps_name = 'VPS-10002') =>
  sandbox.call('POST', `${base}/domains`, { body: { domain_name, vps_name } });

const createBalancer = (
  sandbox: HostingSandboxFixture,
  changes: Partial<Record<keyof typeof balanced, unknown>> & { dedicated_port_id?: number } = {},
) => sandbox.call('POST', `${base}/load-balancers`, { body: { ...balanced, ...changes } });

async function createPort(sandbox: HostingSandboxFixture) {
  const { status, body } = await sandbox.call('POST', `${base}/dedicated-ports`, {
    body: { vps_name: 'VPS-10005', protocol: 'tcp', target_port: 6379 },
  });
  expect(status).toBe(200);
  return z.object({ data: port }).parse(body).data;
}

describe('a domain', () => {
  test.each([
    '',
    'localhost',
    'a b.example',
    '-x.example',
    'x..example',
    '10.0.0.1',
    `${'a'.repeat(64)}.example`,
  ])('named "%s" is rejected with 422', async (name) => {
    const sandbox = await startHostingSandbox();
    expect(await createDomain(sandbox, name)).toMatchObject({
      status: 422,
      body: { error: { details: [{ in: 'body', field: 'domain_name' }] } },
    });
  });

  test('that a domain or a load balancer uses is rejected with 409', async () => {
    const sandbox = await startHostingSandbox();
    expect((await createDomain(sandbox, 'SHOP.acme.example')).status).toBe(409);
    expect((await createDomain(sandbox, 'www.acme.example')).status).toBe(409);
  });

  test('needs an existing VPS', async () => {
    const sandbox = await startHostingSandbox();
    expect((await createDomain(sandbox, 'blog.acme.example', 'VPS-99999')).status).toBe(404);
  });
});

describe('a dedicated port', () => {
  test.each([
    { field: 'protocol', body: { vps_name: 'VPS-10005', protocol: 'udp', target_port: 53 } },
    { field: 'target_port', body: { vps_name: 'VPS-10005', protocol: 'tcp', target_port: 65_536 } },
    { field: 'vps_name', body: { protocol: 'tcp', target_port: 53 } },
  ])('with a wrong $field is rejected with 422', async ({ field, body }) => {
    const sandbox = await startHostingSandbox();
    expect(await sandbox.call('POST', `${base}/dedicated-ports`, { body })).toMatchObject({
      status: 422,
      body: { error: { details: [{ in: 'body', field }] } },
    });
  });
});

describe('a load balancer', () => {
  test('keeps its linked dedicated port from being deleted or linked again', async () => {
    const sandbox = await startHostingSandbox();
    const { id, external_port } = await createPort(sandbox);
    expect((await createBalancer(sandbox, { dedicated_port_id: id })).status).toBe(200);
    expect((await sandbox.call('DELETE', `${base}/dedicated-ports/${external_port}`)).status).toBe(409);
    const second = await createBalancer(sandbox, { domain_name: 'b.acme.example', dedicated_port_id: id });
    expect(second.status).toBe(409);
    await sandbox.call('DELETE', `${base}/load-balancers/app.acme.example`);
    expect((await sandbox.call('DELETE', `${base}/dedicated-ports/${external_port}`)).status).toBe(200);
  });

  test.each([
    { what: 'a taken domain', status: 409, changes: { domain_name: 'shop.acme.example' } },
    { what: 'a domain that has one', status: 409, changes: { domain_name: 'www.acme.example' } },
    { what: 'an unknown port', status: 404, changes: { dedicated_port_id: 77 } },
    {
      what: 'an unknown backend',
      status: 404,
      changes: { backends: [{ vps_name: 'VPS-99999', target_port: 80 }] },
    },
    { what: 'no backend', status: 422, changes: { backends: [] } },
    {
      what: 'nothing but backups',
      status: 422,
      changes: { backends: [{ vps_name: 'VPS-10001', target_port: 80, is_backup: true }] },
    },
    { what: 'an unknown mode', status: 422, changes: { mode: 'random' } },
    { what: 'an unknown stickiness', status: 422, changes: { sticky_mode: 'glue' } },
    { what: 'a health check without a slash', status: 422, changes: { health_check_path: 'health' } },
  ])('with $what is rejected with $status', async ({ status, changes }) => {
    const sandbox = await startHostingSandbox();
    expect((await createBalancer(sandbox, changes)).status).toBe(status);
    expect((await sandbox.read(base, webgate)).usage.load_balancers).toBe(1);
  });
});
