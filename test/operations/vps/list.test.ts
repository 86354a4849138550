import { describe, expect, test } from 'vitest';
import { listVps } from '../../../src/hosting/endpoints/vps.ts';
import { runRead, serializePublicPart } from '../operation-harness.ts';

const list = (data: unknown) => runRead('list', {}, new Map([[listVps, data]]));

const fleet = [
  { vps_name: 'VPS-1', state: 'running' },
  { vps_name: 'VPS-2', state: 'stopped' },
  { vps_name: 'VPS-3', state: 'running' },
];

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

  test('counts rare states together', async () => {
    const vps = Array.from({ length: 9 }, (_, index) => ({ vps_name: `VPS-${index}`, state: `s${index}` }));
    expect((await list({ vps })).facts?.[0]?.value).toMatch(/, 3 in other states$/);
  });

  test('says that it can be incomplete, and shows other fields', async () => {
    const { title, notes, facts } = await list({ vps: fleet, total: 500, region_limit: 7 });
    expect(title).toBe('The first 3 VPS');
    expect(notes?.join()).toContain('may be incomplete');
    expect(facts).toContainEqual({ label: 'Region limit', value: '7' });
  });

  test('says in a sentence which VPS the service lists twice, and how the entries differ', async () => {
    const { facts, notes, table } = await list({ vps: [...fleet, { vps_name: 'VPS-2', state: 'paused' }] });
    expect(table?.rows).toHaveLength(3);
    expect(notes).toEqual([
      'The service lists VPS-2 more than once. The table has the first entry; the others differ: State: paused.',
    ]);
    expect(facts?.map(({ label }) => label)).toEqual(['States']);
  });

  test('has no buttons for an empty account', async () => {
    const outcome = await list({ vps: [] });
    expect(outcome).toMatchObject({ title: 'No VPS' });
    expect(outcome.choiceSteps).toBeUndefined();
  });

  test('shows no secrets of its records', async () => {
    const vps = fleet.map((record) => ({ ...record, root_password: 'Zb9!kqT2' }));
    expect(serializePublicPart(await list({ vps }))).not.toContain('Zb9!kqT2');
  });
});
