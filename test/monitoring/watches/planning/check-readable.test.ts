import { expect, test } from 'vitest';
import { readVpsList } from '../../../../src/hosting/payloads/vps.ts';
import type { Condition } from '../../../../src/monitoring/watches/condition.ts';
import { checkReadable } from '../../../../src/monitoring/watches/planning/check-readable.ts';
import type { Read } from '../../../../src/operations/define/read.ts';

const busy: Condition = { measure: 'cpu', is: 'over', figure: 90, forMs: 0 };

async function check(list: readonly object[], live: Readonly<Record<string, object>>, condition = busy) {
  const read = (async (_, { params }: { params: { vps_name: string } }) =>
    live[params.vps_name] ?? {}) as Read;
  return checkReadable(read, condition, readVpsList(list).vps, (text) => text);
}

test.each([
  ['the list says', [{ vps_name: 'VPS-1', state: 'stopped' }]],
  ['only the live data says', [{ vps_name: 'VPS-1' }]],
])('a VPS that is off, as %s, is not said to be unreadable', async (_, list) => {
  const readable = await check(list, { 'VPS-1': { state: 'stopped', uptime: 0 } });
  expect(readable).toEqual({
    facts: [],
    warnings: ["Couldn't check CPU of VPS-1: it's off."],
    steps: [],
  });
});

test('one VPS that is off is not mentioned beside others that can be read', async () => {
  const list = [
    { vps_name: 'VPS-1', state: 'stopped' },
    { vps_name: 'VPS-2', state: 'running' },
  ];
  expect(await check(list, { 'VPS-2': { cpu_percent: 12 } })).toEqual({
    facts: [{ label: 'Now', value: 'VPS-2 12%' }],
    warnings: [],
    steps: [],
  });
});

test('the figures of some of the VPS say how many there are', async () => {
  const list = ['VPS-1', 'VPS-2', 'VPS-3'].map((name) => ({ vps_name: name, state: 'running' }));
  const live = { 'VPS-1': { cpu_percent: 12 }, 'VPS-2': { cpu_percent: 5 } };
  expect((await check(list, live)).facts).toEqual([
    { label: 'Now', value: 'VPS-1 12%, VPS-2 5% (2 of 3 VPS)' },
  ]);
});

test('traffic without units is asked about in both directions', async () => {
  const traffic: Condition = { measure: 'traffic', is: 'over', figure: 125_000, forMs: 0 };
  const live = { network_in: 8_000, network_out: 99_999 };
  const list = ['VPS-1', 'VPS-2'].map((name) => ({ vps_name: name, state: 'running' }));
  const { steps, warnings } = await check(list, { 'VPS-1': live, 'VPS-2': live }, traffic);
  const fields = steps.map(({ input }) => input.field);
  expect([...new Set(fields)]).toEqual(['network_in', 'network_out']);
  expect(new Set(steps.map(({ label }) => label)).size).toBe(steps.length);
  expect(warnings[0]).toContain('network_out 99999 without a unit');
});
