import { describe, expect, test } from 'vitest';
import { listVps } from '../../../src/hosting/endpoints/vps.ts';
import type { OperationContext } from '../../../src/operations/define/operation.ts';
import { runRead } from '../operation-harness.ts';

const list = (data: unknown) => runRead('list', {}, new Map([[listVps, data]]));

const named = [
  { vps_name: 'VPS-1', hostname: 'web-01.acme.example', state: 'running', ipv4: '10.0.0.1' },
  { vps_name: 'VPS-2', hostname: 'web-02.acme.example', state: 'stopped', ipv4: '10.0.0.2' },
  { vps_name: 'VPS-3', hostname: 'db-01.acme.example', state: 'running', ipv4: '10.0.0.3' },
];

test.each([
  ['web-*', '2 of 3 VPS: web-*'],
  ['db-01.acme.example.', '1 of 3 VPS: db-01.acme.example.'],
  ['10.0.0.2', '1 of 3 VPS: 10.0.0.2'],
  ['vps 3', '1 of 3 VPS: vps 3'],
  ['running', '2 of 3 VPS: running'],
])('a list of %s has the VPS in this state, or with this name or address', async (state, title) => {
  expect(await runRead('list', { state }, new Map([[listVps, { vps: named }]]))).toMatchObject({ title });
});

const fleet = [
  { vps_name: 'VPS-1', state: 'running' },
  { vps_name: 'VPS-2', state: 'stopped' },
  { vps_name: 'VPS-3', state: 'running' },
];

test('a list that could not be read says so, also to people who are not allowed to view all VPS', async () => {
  const loadAccess: OperationContext['loadAccess'] = async () => () => ({ message: 'no', advice: 'no' });
  const visible = (data: unknown) => runRead('list', {}, new Map([[listVps, data]]), { loadAccess });
  const unread = await visible({ fleet: 'see the panel' });
  expect(unread.title).toBe('VPS');
  expect(unread.notes).toContain("The list couldn't be read from the service's response.");
  for (const data of [{ vps: [] }, { vps: fleet }])
    expect(await visible(data)).toMatchObject({ title: 'No VPS that you have access to' });
});

describe('the list of VPS', () => {
  test.each([
    { vps: fleet },
    { items: fleet },
    fleet,
    { 'VPS-1': { status: 'running' }, 'VPS-2': { status: 'stopped' }, 'VPS-3': { status: 'running' } },
  ])('counts the states in words, wherever they are: %j', async (data) => {
    const { title, facts, table, choiceSteps } = await list(data);
    expect(title).toBe('3 VPS');
    expect(facts?.[0]).toEqual({ label: 'States', value: '2 running, 1 stopped' });
    expect(table?.rows).toHaveLength(3);
    expect(choiceSteps).toEqual([{ label: 'Show a VPS', operation: 'show', argument: 'vps', input: {} }]);
  });

  test('says that it can be incomplete, and shows other fields', async () => {
    const { title, notes, facts } = await list({ vps: fleet, total: 500, region_limit: 7 });
    expect(title).toBe('The first 3 VPS');
    expect(notes?.join()).toContain('may be incomplete');
    expect(facts).toContainEqual({ label: 'Region limit', value: '7' });
  });

  test('states nothing that two entries of the same VPS contradict', async () => {
    const { table } = await list({ vps: [...fleet, { vps_name: 'VPS-2', state: 'paused' }] });
    expect(table?.rows).toHaveLength(3);
    expect(table?.rows[1]).toContainEqual({ kind: 'state', state: 'not shown' });
  });

  test('states only what the entries of one VPS agree on', async () => {
    const entries = [
      { name: 'VPS-2', ip: '10.0.0.1', state: 'running' },
      { name: 'VPS-2', ip: '10.0.0.2', state: 'stopped' },
    ];
    const { table } = await list({ vps: entries });
    expect(table?.rows).toEqual([['VPS-2', { kind: 'state', state: 'not shown' }, '10.0.0.1']]);
  });

  describe('with filters', () => {
    const machines = [
      { vps_name: 'VPS-1', state: 'running', region: 'fra', memory_mb: 2048, root_password: 'Zb9!kqT2' },
      { vps_name: 'VPS-2', state: 'Stopped', region: { id: 'ams', city: 'Amsterdam' }, memory_mb: 512 },
      { vps_name: 'VPS-3', state: 'running', region: 'FRA', memory_mb: 1024 },
    ];
    const filtered = (raw: Record<string, string>, more = {}) =>
      runRead('list', raw, new Map([[listVps, { vps: machines }]]), more);
    const names = async (raw: Record<string, string>) =>
      (await filtered(raw)).table?.rows.map(([name]) => name) ?? [];

    test('shows the VPS in a state, and still counts all states', async () => {
      const { title, facts } = await filtered({ state: 'stopped' });
      expect(title).toBe('1 of 3 VPS: stopped');
      expect(facts?.[0]?.value).toBe('2 running, 1 Stopped');
      expect(await names({ state: 'stopped' })).toEqual(['VPS-2']);
      expect(await filtered({ state: 'paused' })).toMatchObject({ title: '0 of 3 VPS: paused' });
    });

    test('finds the value of a field, also inside it, and sorts numbers as numbers', async () => {
      expect(await names({ where: 'Region=fra' })).toEqual(['VPS-1', 'VPS-3']);
      expect(await names({ where: 'region=amsterdam' })).toEqual(['VPS-2']);
      expect(await names({ sort: 'memory-mb' })).toEqual(['VPS-2', 'VPS-3', 'VPS-1']);
      expect(await names({ state: 'running', sort: 'memory_mb' })).toEqual(['VPS-3', 'VPS-1']);
    });

    test('names the fields if there is no such field, but no secret ones', async () => {
      await expect(filtered({ where: 'regon=fra' })).rejects.toThrow(
        'No VPS in the list has a field "regon". The fields are vps_name, state, region, memory_mb.',
      );
      await expect(filtered({ where: 'root_password=Zb9!kqT2' })).rejects.toThrow('has a field');
    });

    test('tells people nothing about VPS that they are not allowed to view', async () => {
      const loadAccess: OperationContext['loadAccess'] = async () => (required) =>
        required.vps.includes('VPS-1') && required.vps.length === 1
          ? undefined
          : { message: 'no', advice: 'no' };
      const { title } = await filtered({ state: 'running' }, { loadAccess });
      expect(title).toBe('1 of 1 VPS: running');
    });
  });
});
