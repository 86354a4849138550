import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type HostingSandboxFixture, startHostingSandbox } from './hosting-sandbox-fixture.ts';

const vps = '/v1/vps/VPS-10001';
const webgate = '/v1/services/webgate';
const addresses = '/v1/services/ip-addresses';

const domain = (domain_name: string, vps_name = 'VPS-10002') => ({ domain_name, vps_name });
const port = (protocol: string, target_port: number) => ({ vps_name: 'VPS-10005', protocol, target_port });
const vlan = (ip_range: string) => ({ name: 'lab', ip_range });
const balancer = (changes: object = {}) => ({
  domain_name: 'app.acme.example',
  mode: 'leastconn',
  sticky_mode: 'source',
  health_check_path: '/health',
  redirect_https: false,
  websocket_enabled: true,
  backends: [{ vps_name: 'VPS-10001', target_port: 8080 }],
  ...changes,
});

/** What the first state of the account doesn't allow. The reason is in the error's message or details. */
const refusals: readonly [
  status: number,
  reason: string,
  method: string,
  path: string,
  ...bodies: unknown[],
][] = [
  [404, 'There is no VPS VPS-99999.', 'GET', '/v1/vps/VPS-99999', undefined],
  [422, 'vps_name', 'GET', '/v1/vps/web-01', undefined],
  [422, 'range', 'GET', `${vps}/monitoring/rrd?range=year`, undefined],
  [409, 'running', 'POST', `${vps}/action`, { action: 'start' }],
  [409, 'stopped', 'POST', '/v1/vps/VPS-10012/action', { action: 'reboot' }, { action: 'stop' }],
  [422, 'reboot', 'POST', `${vps}/action`, { action: 'explode' }],
  [422, 'os', 'POST', `${vps}/reinstall`, { os: 'windows-95', delivery: 'api' }],
  [422, 'delivery', 'POST', `${vps}/reinstall`, { os: 'debian-13', delivery: 'pigeon' }],
  [
    ...([422, '"name"', 'POST', `${vps}/snapshots`] as const),
    ...['', '.', '../up', 'two\nlines', 'a'.repeat(65)].map((name) => ({ name })),
  ],
  [422, 'private', 'POST', `${vps}/vlan`, vlan('203.0.113.0/24'), vlan('192.168.0.0/15')],
  [422, 'ip_range', 'POST', `${vps}/vlan`, vlan('10.0.0.0/30'), vlan('10.0.0.0'), vlan('ten')],
  [422, '10.0.0.0', 'POST', `${vps}/vlan`, vlan('10.0.0.5/24')],
  [409, 'backend', 'POST', `${vps}/vlan`, vlan('10.20.0.128/25'), vlan('10.20.0.0/16')],
  [404, 'vlan-nope', 'POST', `${vps}/vlan/attach`, { vlan_id: 'vlan-nope' }],
  [409, 'VPS-10001', 'POST', `${addresses}/ipv4/501/attach`, { vps_name: 'VPS-10005' }],
  [
    ...([422, 'port_vps_ssh', 'PATCH', '/v1/services/proxy-ssh-ipv4/vps/VPS-10002'] as const),
    ...[0, 65_536, 22.5, '22'].map((port_vps_ssh) => ({ port_vps_ssh })),
  ],
  [404, 'VPS-99999', 'PATCH', '/v1/services/proxy-ssh-ipv4/vps/VPS-99999', { port_vps_ssh: 22 }],
  [
    ...([422, 'domain_name', 'POST', `${webgate}/domains`] as const),
    ...['', 'localhost', 'a b.example', '-x.example', 'x..example', '10.0.0.1'].map((name) => domain(name)),
    domain(`${'a'.repeat(64)}.example`),
  ],
  [
    409,
    '.acme.example',
    'POST',
    `${webgate}/domains`,
    domain('SHOP.acme.example'),
    domain('www.acme.example'),
  ],
  [404, 'VPS-99999', 'POST', `${webgate}/domains`, domain('blog.acme.example', 'VPS-99999')],
  [422, 'protocol', 'POST', `${webgate}/dedicated-ports`, port('udp', 53)],
  [422, 'target_port', 'POST', `${webgate}/dedicated-ports`, port('tcp', 65_536)],
  [422, 'vps_name', 'POST', `${webgate}/dedicated-ports`, { protocol: 'tcp', target_port: 53 }],
  [
    ...([409, '.acme.example', 'POST', `${webgate}/load-balancers`] as const),
    ...['shop', 'www'].map((name) => balancer({ domain_name: `${name}.acme.example` })),
  ],
  [404, '77', 'POST', `${webgate}/load-balancers`, balancer({ dedicated_port_id: 77 })],
  [
    ...([404, 'VPS-99999', 'POST', `${webgate}/load-balancers`] as const),
    balancer({ backends: [{ vps_name: 'VPS-99999', target_port: 80 }] }),
  ],
  [
    ...([422, 'backend', 'POST', `${webgate}/load-balancers`] as const),
    balancer({ backends: [] }),
    balancer({ backends: [{ vps_name: 'VPS-10001', target_port: 80, is_backup: true }] }),
  ],
  [422, 'sticky_mode', 'POST', `${webgate}/load-balancers`, balancer({ sticky_mode: 'glue' })],
  [422, 'mode', 'POST', `${webgate}/load-balancers`, balancer({ mode: 'random' })],
  [422, 'health_check', 'POST', `${webgate}/load-balancers`, balancer({ health_check_path: 'health' })],
];

test('what the state or the input does not allow is refused with its reason, and changes nothing', async () => {
  const sandbox = await startHostingSandbox();
  const readAll = () =>
    Promise.all(
      [vps, '/v1/vps/VPS-10012', `${vps}/snapshots`, `${vps}/vlan`, webgate, `${addresses}/ipv4`].map(
        async (path) => (await sandbox.call('GET', path)).text,
      ),
    );
  const before = await readAll();
  for (const [status, reason, method, path, ...bodies] of refusals) {
    for (const body of bodies) {
      const answer = await sandbox.call(method, path, { body });
      expect(answer, `${method} ${path} ${JSON.stringify(body)}`).toMatchObject({ status });
      expect(answer.text).toContain(reason);
    }
  }
  expect(await readAll()).toEqual(before);
});

const readVps = (sandbox: HostingSandboxFixture, name = 'VPS-10001') =>
  sandbox.read(`/v1/vps/${name}`, z.looseObject({ state: z.string(), uptime: z.number(), os: z.string() }));

describe('a VPS', () => {
  test('reboots for four seconds, in which it refuses another action, and its uptime restarts', async () => {
    const sandbox = await startHostingSandbox();
    const act = (action: string) => sandbox.call('POST', `${vps}/action`, { body: { action } });
    expect((await act('reboot')).body).toMatchObject({ data: { vps_name: 'VPS-10001', state: 'rebooting' } });
    expect(await act('stop')).toMatchObject({ status: 409, text: expect.stringContaining('rebooting') });
    sandbox.advance(3_999);
    expect(await readVps(sandbox)).toMatchObject({ state: 'rebooting', uptime: 0 });
    sandbox.advance(90_001);
    expect(await readVps(sandbox)).toMatchObject({ state: 'running', uptime: 90 });
  });
});

test('a load balancer keeps its linked port from being deleted or linked again', async () => {
  const sandbox = await startHostingSandbox();
  const created = await sandbox.call('POST', `${webgate}/dedicated-ports`, { body: port('tcp', 6379) });
  const { data } = z.object({ data: z.object({ id: z.int(), external_port: z.int() }) }).parse(created.body);
  const body = balancer({ dedicated_port_id: data.id });
  const removePort = () => sandbox.call('DELETE', `${webgate}/dedicated-ports/${data.external_port}`);
  expect((await sandbox.call('POST', `${webgate}/load-balancers`, { body })).status).toBe(200);
  expect((await removePort()).status).toBe(409);
  const second = { body: { ...body, domain_name: 'b.acme.example' } };
  expect((await sandbox.call('POST', `${webgate}/load-balancers`, second)).status).toBe(409);
  await sandbox.call('DELETE', `${webgate}/load-balancers/app.acme.example`);
  expect((await removePort()).status).toBe(200);
});

test('IP routes without a documented path are at the configured one only, which no two may share', async () => {
  const sandbox = await startHostingSandbox({
    pathOverrides: {
      HOSTING_IP_IPV4_LIST_PATH: `${addresses}/v4/all`,
      HOSTING_IP_IPV4_DETACH_PATH: `${addresses}/release/{id}`,
    },
  });
  expect((await sandbox.call('GET', `${addresses}/v4/all`)).status).toBe(200);
  const released = await sandbox.call('POST', `${addresses}/release/501`);
  expect(released.body).toMatchObject({ data: { id: 501, vps_name: null } });
  expect((await sandbox.call('POST', `${addresses}/release/501`)).status).toBe(409);
  expect((await sandbox.call('GET', `${addresses}/ipv4`)).status).toBe(404);
  expect((await sandbox.call('GET', `${addresses}/ipv6`)).status).toBe(200);
  const pathOverrides = { HOSTING_IP_IPV4_LIST_PATH: addresses, HOSTING_IP_IPV6_LIST_PATH: addresses };
  await expect(startHostingSandbox({ pathOverrides })).rejects.toThrow(`Two routes share GET ${addresses}.`);
});
