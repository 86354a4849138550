import { describe, expect, test } from 'vitest';
import { readLiveMetrics } from '../../../../src/hosting/profile/metrics/live/live-metrics.ts';
import { readVps, readVpsList } from '../../../../src/hosting/profile/resources/vps/vps.ts';

const names = (data: unknown) => readVpsList(data).vps.map(({ name }) => name);
const states = (data: unknown) => readVpsList(data).vps.map(({ state }) => state);

const one = { vps_name: 'VPS-10001', state: 'running' };
const two = { vps_name: 'VPS-10002', state: 'stopped' };

describe('a list of VPS', () => {
  test.each<[string, unknown]>([
    ['data itself', [one, two]],
    ['data.vps', { vps: [one, two] }],
    ['data.items beside other lists', { regions: [{ name: 'fra' }], tags: ['a'], items: [one, two] }],
    ['a field that nobody has heard of', { plans: [{ name: 's' }], servers: [one, two], total: 2 }],
    ['a field of a field', { result: { account: 'acme', list: { entries: [one, two] } } }],
    ['a map by name', { 'VPS-10001': { state: 'running' }, 'VPS-10002': { state: 'stopped' } }],
    [
      'a map by name in a field, beside a list',
      { permissions: ['vps.read'], vps: { 'VPS-10001': one, 'VPS-10002': two } },
    ],
    [
      'a map by name, whose records are called otherwise',
      { 'VPS-10001': { name: 'web', state: 'running' }, 'VPS-10002': { name: 'db', state: 'stopped' } },
    ],
    [
      'a map by name in a field, beside a list of records',
      { regions: [{ name: 'fra' }], vps: { 'VPS-10001': one, 'VPS-10002': two } },
    ],
    ['a list beside single VPS', { newest: two, items: [one, two] }],
    ['a list after a shorter one deeper inside', { recent: { vps: [two] }, vps: [one, two] }],
    ['a list deeper than another one', { regions: [{ name: 'fra' }], page: { vps: [one, two] } }],
    ['a map by number', { 0: one, 1: two, total: 2 }],
    [
      'a map in lower case',
      { vps: { 'vps-10001': { status: 'running' }, 'vps-10002': { status: 'stopped' } } },
    ],
    [
      'records with the name in id',
      [
        { id: 'VPS-10001', name: 'web', status: 'running' },
        { id: 'VPS-10002', name: 'db', status: 'stopped' },
      ],
    ],
    [
      'records that wrap the VPS',
      [
        { vps: { name: 'VPS-10001' }, state: 'running' },
        { vps: { name: 'VPS-10002' }, state: 'stopped' },
      ],
    ],
    [
      'records with the state in a field of the state',
      [
        { name: 'VPS-10001', status: { code: 1, state: 'running' } },
        { name: 'VPS-10002', status: { code: 0 }, power_state: 'stopped' },
      ],
    ],
  ])('is found in %s', (_, data) => {
    expect(names(data)).toEqual(['VPS-10001', 'VPS-10002']);
    expect(states(data)).toEqual(['running', 'stopped']);
    expect(readVpsList(data).hasMore).toBe(false);
  });

  test.each<[string, unknown]>([
    ['names', { vps: ['VPS-10001', 'vps-10002'] }],
    ['names by themselves', ['VPS-10001', 'VPS-10002', 'not a name', 7, null]],
    ['a map from name to state', { 'VPS-10001': 'running', 'VPS-10002': null }],
  ])('can be only %s', (_, data) => {
    expect(names(data)).toEqual(['VPS-10001', 'VPS-10002']);
  });

  test('can be a map from name to state', () => {
    expect(states({ 'VPS-10001': 'running', 'VPS-10002': 'stopped' })).toEqual(['running', 'stopped']);
    expect(states({ 'VPS-10001': 'web-01.acme.example' })).toEqual([undefined]);
  });

  test('can have states in HTML', () => {
    const html = (word: string) => `<span class="label"><i class="fa"></i> ${word}</span>`;
    const vps = [one, two].map(({ vps_name, state }) => ({ vps_name, state: html(state) }));
    expect(states({ data: vps })).toEqual(['running', 'stopped']);
    expect(states([{ vps_name: 'VPS-1', state: '<unknown>' }])).toEqual(['<unknown>']);
  });

  test('has each record unchanged', () => {
    const [reading] = readVpsList({ vps: [{ ...one, plan: { cores: 4 } }] }).vps;
    expect(reading?.record).toEqual({ ...one, plan: { cores: 4 } });
  });

  test('keeps names in another format unchanged', () => {
    expect(names([{ name: 'web-1' }, { vps_name: 'vps-AbC' }, { name: '' }, { id: 7 }])).toEqual([
      'web-1',
      'VPS-AbC',
    ]);
  });

  test.each<[unknown]>([
    [{}],
    [[]],
    [{ vps: [] }],
    [{ vps: [], total: 0 }],
    [{ vps: {} }],
    [{ data: null }],
    [null],
    ['VPS-10001'],
    [7],
  ])('is empty without VPS: %j', (data) => {
    expect(readVpsList(data)).toMatchObject({ vps: [], hasMore: false });
  });
});

describe('a hint at further pages', () => {
  test.each<[unknown]>([
    [{ vps: [one], next: '/v1/vps?page=2' }],
    [{ vps: [one], next_page: 2 }],
    [{ vps: [one], has_more: true }],
    [{ vps: [one], nextCursor: 'abc' }],
    [{ vps: [one], pages: '3' }],
    [{ vps: [one], total: 12 }],
    [{ items: [one], meta: { pagination: { total_pages: 2 } } }],
    [{ items: [one], meta: { total: '9' } }],
    [{ items: [one], _links: { next: { href: '/v1/vps?page=2' } } }],
    [{ result: { items: [one], total_count: 2 } }],
  ])('is found: %j', (data) => {
    expect(readVpsList(data)).toMatchObject({ vps: [{ name: 'VPS-10001' }], hasMore: true });
  });

  test.each<[unknown]>([
    [{ vps: [one, two], next: null, has_more: false, pages: 1, total: 2 }],
    [{ vps: [one], links: { next: null, self: '/v1/vps' }, meta: { last_page: 1, page: 1 } }],
    [{ vps: [one], usage: { memory: { total: 32_768 } } }],
    [{ vps: [{ ...one, next: 'backup', total: 40, pages: 3 }] }],
    [{ vps: [one], total: 'many', pages: {} }],
  ])('is not found by mistake: %j', (data) => {
    expect(readVpsList(data).hasMore).toBe(false);
  });
});

describe('one VPS', () => {
  const record = { vps_name: 'VPS-10001', state: 'running', plan: 'vps-m' };
  const bare = { hostname: 'web-01', state: 'running' };

  test.each<[string, unknown, unknown]>([
    ['data itself', record, record],
    ['data itself, without its name', bare, bare],
    [
      'data itself, with records in it',
      { ...bare, network: { status: 'up' } },
      { ...bare, network: { status: 'up' } },
    ],
    [
      'data itself, with a part that is called vps',
      { ...bare, vps: { cores: 4 } },
      { ...bare, vps: { cores: 4 } },
    ],
    ['data.vps', { vps: record, quota: { name: 'VPS-10002', state: 'x' } }, record],
    ['data.vps, without its name', { vps: bare, quota: { cores: 4 } }, bare],
    ['any field that is the only one', { server: { item: bare } }, bare],
    ['a list of one', [record], record],
    ['a list of one in a field, without its name', { items: [bare] }, bare],
    ['a list of several', { items: [{ ...record, vps_name: 'VPS-10002' }, record] }, record],
    ['a map by name', { 'VPS-10002': {}, 'vps-10001': bare }, bare],
  ])('is found in %s', (_, data, expected) => {
    const { name, state, record } = readVps(data, 'VPS-10001');
    expect({ name, state, record }).toEqual({ name: 'VPS-10001', state: 'running', record: expected });
  });

  test('is found in a list by any field', () => {
    const other = { reference: 'VPS-10002', state: 'stopped' };
    const own = { reference: 'vps-10001', state: 'running' };
    expect(readVps({ items: [other, own] }, 'VPS-10001')).toMatchObject({ state: 'running', record: own });
  });

  test.each<[unknown]>([
    [[{ vps_name: 'VPS-10002', state: 'running' }]],
    [{ vps: { vps_name: 'VPS-10002', state: 'running' } }],
    [{ vps_name: 'VPS-10002', state: 'running' }],
    [
      [
        { ref: 'VPS-10002', state: 'running' },
        { ref: 'VPS-10003', state: 'running' },
      ],
    ],
  ])('does not have the state of another one: %j', (data) => {
    const vps = readVps(data, 'VPS-10001');
    expect(vps).toMatchObject({ name: 'VPS-10001', state: undefined, record: { others: data } });
  });

  test.each([
    { vps_name: 'VPS-10001', name: 'VPS-10002', state: 'running' },
    { id: 'VPS-10001', name: 'VPS-10002', state: 'running' },
    { vps: { id: 'VPS-10001', name: 'VPS-10002', state: 'running' } },
  ])('does not have the state of one that a customer labeled so: %j', (data) => {
    expect(readVps(data, 'VPS-10002')).toMatchObject({ state: undefined, record: { others: data } });
    expect(readVps(data, 'VPS-10001').state).toBe('running');
  });

  test('includes all fields, even if one of them looks like a VPS', () => {
    const data = { hostname: 'web-01', disk: { status: 'ok' }, network: { status: 'up' } };
    const { name, state, record } = readVps(data, 'VPS-10001');
    expect({ name, state, record }).toEqual({ name: 'VPS-10001', state: undefined, record: data });
  });

  test.each<[unknown]>([[{}], [[]], [null], ['running'], [{ state: '' }], [{ state: 1 }]])(
    'can have no state: %j',
    (data) => {
      expect(readVps(data, 'VPS-10001').state).toBeUndefined();
    },
  );
});

describe('a list whose VPS names are in an unusual field', () => {
  const record = (username: string, more = {}) => ({ name: 'VPS M', username, ...more });

  test('is read by the only field that has a VPS name in every record', () => {
    const { vps } = readVpsList({ products: [record('VPS-1'), record('vps-2')] });
    expect(vps.map(({ name, aliases }) => [name, aliases.full])).toEqual([
      ['VPS-1', []],
      ['VPS-2', []],
    ]);
  });

  test.each([
    ['the field has the same name twice', [record('VPS-1'), record('VPS-1')]],
    ['one record lacks the field', [record('VPS-1'), { name: 'VPS M' }]],
    ['two fields could be meant', [record('VPS-1', { clone: 'VPS-3' }), record('VPS-2', { clone: 'VPS-4' })]],
    ['there is only one VPS', [record('VPS-1')]],
  ])('is not guessed if %s', (_name, products) => {
    const { vps } = readVpsList({ products });
    expect(vps.map(({ name }) => name)).toEqual(products.map(() => 'VPS M'));
  });
});

describe('states of a VPS that contradict each other', () => {
  const both = 'running (status) but off (power_state)';

  test('are shown both, and neither is stated', () => {
    const record = { vps_name: 'VPS-10001', power_state: 'off', status: 'running' };
    expect(states([record])).toEqual([both]);
    expect(readVps(record, 'VPS-10001').state).toBe(both);
    expect(readLiveMetrics(record, 'VPS-10001').state).toBe(both);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ status: 'running', power_state: 'on' }, 'running'],
    [{ status: 'active', power_state: 'off' }, 'off'],
    [{ status: 'active', vps: { status: 'stopped' } }, 'stopped'],
    [{ status: 'running', power: { state: 'Stopped' } }, 'Stopped (power.state) but running (status)'],
  ])('are told from a general word: %j', (record, state) => {
    expect(readVps(record, 'VPS-10001').state).toBe(state);
    expect(readLiveMetrics(record, 'VPS-10001').state).toBe(state);
  });
});

describe('a VPS that is listed twice', () => {
  test('is returned once, and the differing fields of its second entry stay in the other fields', () => {
    const { vps, otherFields } = readVpsList({ vps: [one, two, one, { ...one, state: 'paused' }] });
    expect(vps.map(({ name, state }) => [name, state])).toEqual([
      ['VPS-10001', 'running'],
      ['VPS-10002', 'stopped'],
    ]);
    expect(otherFields).toEqual({ duplicates: { 'VPS-10001': [{ state: 'paused' }] } });
  });
});
