import { expect, test } from 'vitest';
import { listEndpoints } from '../../src/operations/define/inspect-operation.ts';
import { hostingOperations } from '../../src/operations/hosting-operations.ts';
import { runRead } from './operation-harness.ts';

const reads = ['ips', 'snapshot list', 'vlan list', 'ip list', 'ssh list', 'webgate'];

/** Runs a read whose service sends `data` for every call. */
async function run(name: string, data: unknown) {
  const operation = hostingOperations().find(name);
  const answers = new Map((operation ? listEndpoints(operation) : []).map((endpoint) => [endpoint, data]));
  return runRead(name, name === 'ssh list' ? {} : { vps: 'VPS-10001' }, answers);
}

test.each(reads)('%s does not say that there is nothing if it recognizes nothing', async (name) => {
  const outcome = await run(name, { zonks: [{ zonk: true, frob: 'a b' }] });
  expect(`${outcome.title} ${outcome.notes?.join(' ')}`).not.toMatch(/\bno\b/i);
  expect(outcome.notes?.join(' ')).toContain("couldn't be read");
  expect(outcome.facts).toContainEqual({ label: 'Zonks 1 frob', value: 'a b' });
});

test.each(reads)('%s says that there is nothing if there is nothing', async (name) => {
  const outcome = await run(name, {});
  expect(`${outcome.title} ${outcome.notes?.join(' ')}`).toMatch(/\bno\b/i);
});

test.each<[string, unknown]>([
  ['snapshot list', { name: 'nightly', created_at: '2026-11-20T00:00:00Z' }],
  ['snapshot list', { snapshots: { 12: 'nightly', 13: 'before' } }],
  ['snapshot list', { snapshots: 'nightly,before' }],
  ['snapshot list', { vps_name: 'VPS-10001', count: '2', snapshots: [] }],
  ['snapshot list', { name: 'VPS-10001', snapshots: null, max_snapshots: 3 }],
  ['ssh list', { vps_name: 'VPS-10001', port_vps_ssh: 22, external_port: 40_001 }],
  ['ssh list', { 40001: 'VPS-10001' }],
  ['vlan list', { vlan_id: 'v-1', name: 'web', ip_range: '10.0.0.0/24' }],
  ['ip list', { ips: { 7: 'one' } }],
  ['ips', { ipv4: 'see the panel' }],
  ['webgate', { domains: 3, dedicated_ports: 1, load_balancers: 0 }],
])('%s does not say that there is nothing beside %j', async (name, data) => {
  const { title, notes = [] } = await run(name, data);
  expect(`${title} ${notes.join(' ')}`).not.toMatch(/\bno\b/i);
});

test.each<[string, unknown]>([
  [
    'snapshot list',
    { vps_name: 'VPS-10001', snapshots: [], snapshot_quota: 5, total: 0, message: 'None yet.' },
  ],
  ['ssh list', { mappings: {}, port_limit: 10 }],
  ['ip list', { ipv4: [], ipv6: [], ipv4_limit: 4 }],
  ['webgate', { domains: [], quotas: { domains: 5, dedicated_ports: 3 }, usage: { domains: 0 } }],
])('%s says that there is nothing beside %j', async (name, data) => {
  const { title, notes = [] } = await run(name, data);
  expect(`${title} ${notes.join(' ')}`).toMatch(/\bno\b/i);
});

test('snapshot list does not count the names of one of two lists', async () => {
  const two = await run('snapshot list', { automatic: ['a'], manual: ['b', 'c'] });
  expect(two.title).toBe('Snapshots of VPS-10001');
  expect(two.notes?.join(' ')).toContain("couldn't be read");
  const one = await run('snapshot list', { snapshots: ['a', 'b'], vps: ['VPS-10001'] });
  expect(one.title).toBe('2 snapshots of VPS-10001');
});

test('snapshot list does not count the snapshots of other VPS', async () => {
  const snapshots = ['VPS-10001', 'VPS-10002'].map((vps_name) => ({
    vps_name,
    name: `of-${vps_name}`,
    size_gb: 1,
  }));
  const { title, table, facts } = await run('snapshot list', { snapshots });
  expect(title).toBe('1 snapshot of VPS-10001');
  expect(table?.rows.map(([name]) => name)).toEqual(['of-VPS-10001']);
  expect(facts).toContainEqual({ label: 'Of other VPS 1 name', value: 'of-VPS-10002' });
});
