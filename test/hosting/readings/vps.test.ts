import { describe, expect, test } from 'vitest';
import { readVps, readVpsList } from '../../../src/hosting/readings/vps.ts';

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
    expect(readVpsList(data).mayHaveMore).toBe(false);
  });

  test.each<[string, unknown]>([
    ['names', { vps: ['VPS-10001', 'vps-10002'] }],
    ['names by themselves', ['VPS-10001', 'VPS-10002', 'not a name', 7, null]],
    ['a map from name to state', { 'VPS-10001': 'running', 'VPS-10002': null }],
  ])('may be nothing but %s', (_, data) => {
    expect(names(data)).toEqual(['VPS-10001', 'VPS-10002']);
  });

  test('keeps each record as it came', () => {
    const [reading] = readVpsList({ vps: [{ ...one, plan: { cores: 4 } }] }).vps;
    expect(reading?.record).toEqual({ ...one, plan: { cores: 4 } });
  });

  test('keeps names of another form, should the service have them', () => {
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
  ])('is empty where there is none: %j', (data) => {
    expect(readVpsList(data)).toMatchObject({ vps: [], mayHaveMore: false });
  });
});

describe('a list may have more pages', () => {
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
  ])('where it says so: %j', (data) => {
    expect(readVpsList(data)).toMatchObject({ vps: [{ name: 'VPS-10001' }], mayHaveMore: true });
  });

  test.each<[unknown]>([
    [{ vps: [one, two], next: null, has_more: false, pages: 1, total: 2 }],
    [{ vps: [one], links: { next: null, self: '/v1/vps' }, meta: { last_page: 1, page: 1 } }],
    [{ vps: [one], usage: { memory: { total: 32_768 } } }],
    [{ vps: [{ ...one, next: 'backup', total: 40, pages: 3 }] }],
    [{ vps: [one], total: 'many', pages: {} }],
  ])('and not where it does not: %j', (data) => {
    expect(readVpsList(data).mayHaveMore).toBe(false);
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
    expect(readVps(data, 'VPS-10001')).toEqual({ name: 'VPS-10001', state: 'running', record: expected });
  });

  test('loses nothing where its parts could be taken for it', () => {
    const data = { hostname: 'web-01', disk: { status: 'ok' }, network: { status: 'up' } };
    expect(readVps(data, 'VPS-10001')).toEqual({ name: 'VPS-10001', state: undefined, record: data });
  });

  test.each<[unknown]>([[{}], [[]], [null], ['running'], [{ state: '' }], [{ state: 1 }]])(
    'may tell no state: %j',
    (data) => {
      expect(readVps(data, 'VPS-10001').state).toBeUndefined();
    },
  );
});
