import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type HostingSandboxFixture, startHostingSandbox } from './hosting-sandbox-fixture.ts';

/** VPS names for the actions. The last one does not exist. */
const vpsNames = ['VPS-10001', 'VPS-10002', 'VPS-10005', 'VPS-10009', 'VPS-10012', 'VPS-10099'];

const resource = z.object({ id: z.union([z.int(), z.string()]), vps_name: z.string().nullable() });
const counts = z.object({ domains: z.int(), dedicated_ports: z.int(), load_balancers: z.int() });
const webgate = z.object({
  quotas: counts,
  usage: counts,
  domains: z.array(z.object({ domain_name: z.string() })),
  dedicated_ports: z.array(z.object({ id: z.int(), external_port: z.int() })),
  load_balancers: z.array(z.object({ domain_name: z.string(), dedicated_port_id: z.int() })),
});
const vlans = z.object({
  vlans: z.array(z.object({ id: z.string(), vps: z.array(z.string()) })),
  vlan_quota: z.int(),
  vlan_ip: z.string().nullable(),
});
const snapshots = z.object({ snapshots: z.array(z.object({ name: z.string() })) });

async function readState(sandbox: HostingSandboxFixture) {
  const services = '/v1/services';
  const { ipv4 } = await sandbox.read(`${services}/ip-addresses/ipv4`, z.object({ ipv4: z.array(resource) }));
  const { ipv6 } = await sandbox.read(`${services}/ip-addresses/ipv6`, z.object({ ipv6: z.array(resource) }));
  return { ipv4, ipv6, webgate: await sandbox.read(`${services}/webgate`, webgate) };
}

/** An action: a call with an existing identifier, or the passing of time. */
interface Step {
  readonly kind: string;
  readonly vps: string;
  readonly pick: number;
  readonly name: string;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    ...[
      'wait',
      'action',
      'reinstall',
      'password',
      'ftp',
      'ftp-new',
      'ssh',
      'snapshot',
      'restore',
      'unsnapshot',
    ],
    ...['vlan', 'attach-vlan', 'detach-vlan', 'unvlan', 'ip-attach', 'ip-detach'],
    ...['domain', 'undomain', 'port', 'port', 'unport', 'balancer', 'unbalancer'],
  ),
  vps: fc.constantFrom(...vpsNames),
  pick: fc.nat({ max: 30 }),
  name: fc.constantFrom(...'abcdefghijkl'),
});

function pickFrom<Item>(items: readonly Item[], pick: number): Item | undefined {
  return items[pick % Math.max(1, items.length)];
}

async function describeStep(sandbox: HostingSandboxFixture, { kind, vps, pick, name }: Step) {
  const path = `/v1/vps/${vps}`;
  const gate = '/v1/services/webgate';
  const ip = `/v1/services/ip-addresses/${pick % 2 ? 'ipv4' : 'ipv6'}`;
  const now = await readState(sandbox);
  const { vlans: known } = await sandbox.read('/v1/vps/VPS-10001/vlan', vlans);
  const vlan_id = pickFrom(known, pick)?.id ?? 'none';
  const ipId = pickFrom(pick % 2 ? now.ipv4 : now.ipv6, pick * 7)?.id;
  const port = pickFrom(now.webgate.dedicated_ports, pick);
  const domain_name = `${name}.acme.example`;
  const calls: Record<string, [method: string, path: string, body?: unknown]> = {
    action: [
      'POST',
      `${path}/action`,
      { action: pickFrom(['reboot', 'start', 'stop', 'shutdown', 'dance'], pick) },
    ],
    reinstall: ['POST', `${path}/reinstall`, { os: 'debian-13', delivery: 'api' }],
    password: ['POST', `${path}/root-password/reset`, { delivery: 'email' }],
    ftp: ['PATCH', `${path}/backup-ftp`, { enabled: pick % 2 === 0 }],
    'ftp-new': ['POST', `${path}/backup-ftp/regenerate`],
    ssh: ['PATCH', `/v1/services/proxy-ssh-ipv4/vps/${vps}`, { port_vps_ssh: 22 + pick }],
    snapshot: ['POST', `${path}/snapshots`, { name }],
    restore: ['POST', `${path}/snapshots/${name}/restore`],
    unsnapshot: ['DELETE', `${path}/snapshots/${name}`],
    vlan: ['POST', `${path}/vlan`, { name, ip_range: `192.168.${pick}.0/24` }],
    'attach-vlan': ['POST', `${path}/vlan/attach`, { vlan_id }],
    'detach-vlan': ['POST', `${path}/vlan/detach`, { vlan_id }],
    unvlan: ['DELETE', `${path}/vlan/${vlan_id}`],
    'ip-attach': ['POST', `${ip}/${ipId}/attach`, { vps_name: vps }],
    'ip-detach': ['POST', `${ip}/${ipId}/detach`, {}],
    domain: ['POST', `${gate}/domains`, { domain_name, vps_name: vps }],
    undomain: ['DELETE', `${gate}/domains/${domain_name}`],
    port: ['POST', `${gate}/dedicated-ports`, { vps_name: vps, protocol: 'tcp', target_port: 22 + pick }],
    unport: ['DELETE', `${gate}/dedicated-ports/${port?.external_port ?? 30_000}`],
    balancer: [
      'POST',
      `${gate}/load-balancers`,
      {
        domain_name,
        mode: 'roundrobin',
        sticky_mode: 'cookie',
        health_check_path: '/',
        redirect_https: true,
        websocket_enabled: false,
        dedicated_port_id: pick % 3 ? (port?.id ?? 0) : 0,
        backends: [{ vps_name: vps, target_port: 80 }],
      },
    ],
    unbalancer: ['DELETE', `${gate}/load-balancers/${domain_name}`],
  };
  return calls[kind];
}

async function take(sandbox: HostingSandboxFixture, taken: Step) {
  const described = await describeStep(sandbox, taken);
  if (!described) {
    sandbox.advance(taken.pick * 500);
    return;
  }
  const [method, path, body] = described;
  const { status } = await sandbox.call(method, path, { body });
  expect([200, 404, 409, 422], `${method} ${path}`).toContain(status);
}

function expectDistinct(values: readonly unknown[]) {
  expect(new Set(values).size).toBe(values.length);
}

async function expectSoundAddresses(
  sandbox: HostingSandboxFixture,
  all: { id: string | number; vps_name: string | null }[],
) {
  const attached = z.object({ ipv4: z.array(resource), ipv6: z.array(resource) });
  const held: { id: string | number; vps_name: string | null }[] = [];
  for (let number = 10_001; number <= 10_012; number++) {
    const { ipv4, ipv6 } = await sandbox.read(`/v1/vps/VPS-${number}/ip-addresses`, attached);
    for (const { id, vps_name } of [...ipv4, ...ipv6]) {
      expect(vps_name).toBe(`VPS-${number}`);
      held.push({ id, vps_name });
    }
  }
  expectDistinct(held.map(({ id }) => id));
  expect(new Set(held)).toEqual(new Set(all.filter(({ vps_name }) => vps_name !== null)));
}

async function expectSound(sandbox: HostingSandboxFixture) {
  const { ipv4, ipv6, webgate: gate } = await readState(sandbox);
  await expectSoundAddresses(sandbox, [...ipv4, ...ipv6]);

  for (const kind of ['domains', 'dedicated_ports', 'load_balancers'] as const) {
    expect(gate.usage[kind]).toBe(gate[kind].length);
    expect(gate.usage[kind]).toBeLessThanOrEqual(gate.quotas[kind]);
  }
  const ports = gate.dedicated_ports.map(({ external_port }) => external_port);
  expectDistinct(ports);
  expect(ports.every((port) => port >= 30_000 && port <= 60_000)).toBe(true);
  expectDistinct([...gate.domains, ...gate.load_balancers].map(({ domain_name }) => domain_name));
  const linked = gate.load_balancers
    .map(({ dedicated_port_id }) => dedicated_port_id)
    .filter((id) => id !== 0);
  expectDistinct(linked);
  const known = new Set(gate.dedicated_ports.map(({ id }) => id));
  expect(linked.every((id) => known.has(id))).toBe(true);

  const vlanIps: string[] = [];
  for (const name of vpsNames.slice(0, -1)) {
    const seen = await sandbox.read(`/v1/vps/${name}/vlan`, vlans);
    expect(seen.vlans.length).toBeLessThanOrEqual(seen.vlan_quota);
    expect(seen.vlans.filter(({ vps }) => vps.includes(name))).toHaveLength(seen.vlan_ip ? 1 : 0);
    if (seen.vlan_ip) vlanIps.push(seen.vlan_ip);
    const { snapshots: taken } = await sandbox.read(`/v1/vps/${name}/snapshots`, snapshots);
    expect(taken.length).toBeLessThanOrEqual(5);
    expectDistinct(taken.map((snapshot) => snapshot.name));
  }
  expectDistinct(vlanIps);
}

test('no sequence of actions causes an error, assigns anything twice or exceeds a quota', async () => {
  const sandbox = await startHostingSandbox({ quota: 1_000_000 });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 120 }), async (steps) => {
      sandbox.reset();
      for (const taken of steps) await take(sandbox, taken);
      await expectSound(sandbox);
    }),
    { numRuns: 5 },
  );
});
