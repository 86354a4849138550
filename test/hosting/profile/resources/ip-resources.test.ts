import { describe, expect, test } from 'vitest';
import { readIpResources } from '../../../../src/hosting/profile/resources/network/ip-resources.ts';

const found = (data: unknown) =>
  readIpResources(data).resources.map(({ kind, id, address, vpsName }) => [kind, id, address, vpsName]);

test('the time at which an address was allocated is no owner', () => {
  const { resources } = readIpResources(
    [{ ipaddress: '192.0.2.4', allocated: '2026-06-02T08:00:00+0000', state: 'Allocated' }],
    'ipv4',
  );
  expect(resources.map(({ isAttached }) => isAttached)).toEqual([undefined]);
});

describe('IP resources', () => {
  test.each<[string, unknown]>([
    [
      'lists by kind',
      {
        ipv4: [{ id: 501, address: '198.18.0.10', vps_name: 'VPS-10001' }],
        ipv6: [{ id: 'ip6-a', address: '2001:db8::1', vps_name: null }],
      },
    ],
    [
      'one list',
      [
        { id: 501, ip: '198.18.0.10', vps: 'vps-10001' },
        { id: 'ip6-a', ip: '2001:db8::1', vps: null },
      ],
    ],
    [
      'one list with records of VPS',
      {
        items: [
          { id: '501', version: 4, ip_address: '198.18.0.10', vps: { vps_name: 'VPS-10001' } },
          { id: 'ip6-a', version: 6, ip_address: '2001:db8::1' },
        ],
      },
    ],
    [
      'a map by identifier',
      {
        ip_addresses: {
          501: { addr: '198.18.0.10', attached_to: 'VPS-10001' },
          'ip6-a': { addr: '2001:db8::1', attached_to: '' },
        },
      },
    ],
    [
      'groups in a field of a field',
      {
        result: {
          v4: { assigned: [{ ip_id: 501, ipv4: '198.18.0.10', assigned_to: 'VPS-10001' }] },
          v6: { free: [{ ip_id: 'ip6-a', ipv6: '2001:db8::1' }] },
        },
      },
    ],
    [
      'a map by VPS',
      {
        'VPS-10001': { ipv4: [{ id: 501, address: '198.18.0.10' }] },
        unassigned: { ipv6: [{ id: 'ip6-a', address: '2001:db8::1' }] },
      },
    ],
    [
      'records of the address',
      {
        addresses: [
          { id: 501, ip: { address: '198.18.0.10', gateway: '198.18.0.1' }, vps_name: 'VPS-10001' },
          { id: 'ip6-a', ip: { address: '2001:db8::1' } },
        ],
      },
    ],
  ])('are found in %s', (_, data) => {
    expect(found(data)).toEqual([
      ['ipv4', '501', '198.18.0.10', 'VPS-10001'],
      ['ipv6', 'ip6-a', '2001:db8::1', undefined],
    ]);
  });

  test.each<[string, unknown]>([
    [
      'lists by kind',
      { vps_name: 'VPS-10001', ipv4: ['198.18.0.10'], ipv6: ['2001:db8::/64'], gateway: '198.18.0.1' },
    ],
    ['fields by kind', { vps_name: 'VPS-10001', ipv4: '198.18.0.10', ipv6: '2001:db8::/64' }],
    ['one list', { vps: 'VPS-10001', ip_addresses: ['198.18.0.10', '2001:db8::/64'], dns: ['9.9.9.9'] }],
    ['a map by VPS', { 'vps-10001': ['198.18.0.10', '2001:db8::/64'] }],
    ['a map by address', { '198.18.0.10': 'VPS-10001', '2001:db8::/64': { vps_name: 'VPS-10001' } }],
  ])('of a VPS can be plain addresses, in %s', (_, data) => {
    expect(found(data)).toEqual([
      ['ipv4', undefined, '198.18.0.10', 'VPS-10001'],
      ['ipv6', undefined, '2001:db8::/64', 'VPS-10001'],
    ]);
  });

  test('without an address get their kind from position, field, default or ID', () => {
    expect(found({ ipv6: [{ id: 'a' }], ips: [{ id: 'b', type: 'IPv6' }, { id: 7 }] })).toEqual([
      ['ipv6', 'a', undefined, undefined],
      ['ipv6', 'b', undefined, undefined],
      ['ipv4', '7', undefined, undefined],
    ]);
    expect(readIpResources({ ips: [{ id: 7 }] }, 'ipv6').resources[0]?.kind).toBe('ipv6');
  });

  test('with an explicit empty owner are free, whatever the outer fields contain', () => {
    expect(
      found({ vps_name: 'VPS-10001', ipv4: [{ id: 1, address: '198.18.0.1', vps_name: null }] }),
    ).toEqual([['ipv4', '1', '198.18.0.1', undefined]]);
  });

  test('leave the other fields in the payload', () => {
    const { otherFields, hasMore } = readIpResources({
      ipv4: [{ id: 1, address: '198.18.0.1' }],
      gateway: '198.18.0.254',
      quota: 3,
      next: '/2',
    });
    expect(otherFields).toEqual({ gateway: '198.18.0.254', quota: 3, next: '/2' });
    expect(hasMore).toBe(true);
  });

  test.each<[unknown]>([[{}], [[]], [{ ipv4: [], ipv6: [] }], [null], [{ ipv4: [{ note: 'none' }] }]])(
    'can be missing: %j',
    (data) => {
      expect(found(data)).toEqual([]);
    },
  );
});

describe('an address', () => {
  const ip = { id: 1, address: '198.18.0.1' };

  test.each<[string, unknown, boolean | undefined, string | undefined]>([
    ['names its VPS', [{ ...ip, vps_name: 'VPS-10001' }], true, 'VPS-10001'],
    ['has no VPS', [{ ...ip, vps_name: null }], false, undefined],
    ['is attached by a flag', [{ ...ip, attached: true }], true, undefined],
    ['is attached, and its VPS is empty', [{ ...ip, attached: 1, vps_name: null }], true, undefined],
    ['is not attached by a flag', [{ ...ip, in_use: 'no' }], false, undefined],
    ['is assigned by its status', [{ ...ip, status: 'assigned' }], true, undefined],
    ['is in use by its state', [{ ...ip, state: 'IN_USE' }], true, undefined],
    ['is available by its status', [{ ...ip, status: 'Available' }], false, undefined],
    ['is active, which says nothing', [{ ...ip, status: 'active' }], undefined, undefined],
    ['is reserved', [{ ...ip, status: 'reserved', vps_name: null }], undefined, undefined],
    ['is reserved by a flag', [{ ...ip, main: 0, is_reserved: true, vps_name: null }], undefined, undefined],
    ['is a gateway', [{ ...ip, gateway: 'yes', vps_name: null }], undefined, undefined],
    ['has an owner by number', [{ ...ip, server_id: 42 }], true, undefined],
    ['has an owner by another name', [{ ...ip, vps: 'web-01' }], true, undefined],
    ['has an owner record', [{ ...ip, droplet: { id: 7, name: 'web-01' } }], true, undefined],
    ['has an owner that means none', [{ ...ip, vpsid: '0' }], false, undefined],
    ['has a port of a network', [{ ...ip, port_id: 'ce705c24' }], true, undefined],
    ['has a hostname', [{ ...ip, hostname: 'web-01', assigned: false }], undefined, undefined],
    ['says nothing', [ip], undefined, undefined],
    ['is among the free ones', { free: [ip] }, false, undefined],
    ['is among the assigned ones', { assigned: [ip] }, true, undefined],
    ['is mapped to a VPS', { '198.18.0.1': 'VPS-10001' }, true, 'VPS-10001'],
    ['is mapped to nothing', { '198.18.0.1': null }, false, undefined],
    ['is mapped to other text', { '198.18.0.1': 'eth0' }, undefined, undefined],
    ['is of a VPS', { vps_name: 'VPS-10001', ips: [ip] }, true, 'VPS-10001'],
    [
      'is of a VPS, and says it',
      { vps_name: 'VPS-10001', ips: [{ ...ip, attached: true }] },
      true,
      'VPS-10001',
    ],
  ])('that %s', (_, data, isAttached, vpsName) => {
    const [resource] = readIpResources(data).resources;
    expect([resource?.isAttached, resource?.vpsName]).toEqual([isAttached, vpsName]);
  });

  test('without an owner is free in a list that names the owners of others', () => {
    const other = { id: 2, address: '198.18.0.2' };
    const { resources } = readIpResources([
      { ...ip, vps_name: 'VPS-10001' },
      other,
      { ...other, status: 'pending' },
    ]);
    expect(resources.map(({ isAttached }) => isAttached)).toEqual([true, false, undefined]);
  });

  test.each([
    [{ main: '198.18.0.1', ip_addresses: '198.18.0.1, 2001:db8::1' }],
    [{ ipaddress: '198.18.0.1', ips: '198.18.0.1\n2001:db8::1\n' }],
    [{ ips: [{ ip: '198.18.0.1' }], ip_addresses: ['198.18.0.1', '2001:db8::1'] }],
  ])('in several places, or with others in one text, is listed once: %j', (data) => {
    expect(readIpResources(data).resources.map(({ address }) => address)).toEqual([
      '198.18.0.1',
      '2001:db8::1',
    ]);
  });

  test('can be in a map by ID', () => {
    expect(found({ ips: { 881: '198.18.0.1' } })).toEqual([['ipv4', '881', '198.18.0.1', undefined]]);
  });
});

test.each<[string, unknown, readonly (readonly string[])[]]>([
  [
    'one address',
    { ipv6: { subnet: '2001:db8:1::', cidr: 64, addresses: ['2001:db8:1::5'] } },
    [['ipv6', '2001:db8:1::5']],
  ],
  [
    'records of addresses',
    {
      ipv6: [{ id: 1, subnet: '2001:db8:1::', cidr: 64, addresses: [{ id: 7, address: '2001:db8:1::5' }] }],
    },
    [['ipv6', '2001:db8:1::5']],
  ],
  ['no addresses', { ipv6: { subnet: '2001:db8:1::', cidr: 64, addresses: [] } }, []],
])('a range with a list of its addresses is no address itself: %s', (_case, data, expected) => {
  const { resources, otherFields } = readIpResources(data);
  expect(resources.map(({ kind, address }) => [kind, address])).toEqual(expected);
  expect(JSON.stringify(otherFields)).toContain('2001:db8:1::');
});
