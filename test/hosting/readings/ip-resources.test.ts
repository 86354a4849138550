import { describe, expect, test } from 'vitest';
import { readIpResources } from '../../../src/hosting/readings/ip-resources.ts';

const found = (data: unknown) =>
  readIpResources(data).resources.map(({ kind, id, address, vpsName }) => [kind, id, address, vpsName]);

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
  ])('of a VPS may be addresses alone, in %s', (_, data) => {
    expect(found(data)).toEqual([
      ['ipv4', undefined, '198.18.0.10', 'VPS-10001'],
      ['ipv6', undefined, '2001:db8::/64', 'VPS-10001'],
    ]);
  });

  test('without an address are known by their place, by a field, by who asked or by their identifier', () => {
    expect(found({ ipv6: [{ id: 'a' }], ips: [{ id: 'b', type: 'IPv6' }, { id: 7 }] })).toEqual([
      ['ipv6', 'a', undefined, undefined],
      ['ipv6', 'b', undefined, undefined],
      ['ipv4', '7', undefined, undefined],
    ]);
    expect(readIpResources({ ips: [{ id: 7 }] }, 'ipv6').resources[0]?.kind).toBe('ipv6');
  });

  test('a resource that says that it is free is free, whatever stands around it', () => {
    expect(
      found({ vps_name: 'VPS-10001', ipv4: [{ id: 1, address: '198.18.0.1', vps_name: null }] }),
    ).toEqual([['ipv4', '1', '198.18.0.1', undefined]]);
  });

  test('keeps what comes beside them', () => {
    const { rest, mayHaveMore } = readIpResources({
      ipv4: [{ id: 1, address: '198.18.0.1' }],
      gateway: '198.18.0.254',
      quota: 3,
      next: '/2',
    });
    expect(rest).toEqual({ gateway: '198.18.0.254', quota: 3, next: '/2' });
    expect(mayHaveMore).toBe(true);
  });

  test.each<[unknown]>([[{}], [[]], [{ ipv4: [], ipv6: [] }], [null], [{ ipv4: [{ note: 'none' }] }]])(
    'may be none: %j',
    (data) => {
      expect(found(data)).toEqual([]);
    },
  );
});
