import { describe, expect, test } from 'vitest';
import { readVlans } from '../../../../src/hosting/profile/resources/network/vlans.ts';

const backend = { id: 'vlan-1', name: 'backend', ip_range: '10.20.0.0/24' };
const staging = { id: 'vlan-2', name: 'staging', ip_range: '10.30.0.0/24' };

describe('a VLAN without an ID', () => {
  const network = { name: 'backend', description: 'Databases', vpsNames: ['VPS-10001'] };

  test('is known by its name', () => {
    const { vlans } = readVlans({ privateNetworks: [network] }, 'VPS-10001');
    expect(vlans.map(({ id, isAttached }) => [id, isAttached])).toEqual([['backend', true]]);
  });

  test("isn't known by its name if another field can be its ID", () => {
    const { vlans } = readVlans({ privateNetworks: [{ ...network, privateNetworkId: 7 }] }, 'VPS-10001');
    expect(vlans).toEqual([]);
  });
});

describe('VLANs, the VLAN IP and what is attached', () => {
  test.each<[string, unknown]>([
    [
      'the names of the sandbox',
      {
        vps_name: 'VPS-10001',
        vlans: [backend, staging],
        vlan_quota: 5,
        vlan_id: 'vlan-1',
        vlan_ip: '10.20.0.1',
      },
    ],
    [
      'members of each',
      {
        vps_name: 'VPS-10001',
        vlans: [
          { ...backend, vps: ['vps-10001'] },
          { ...staging, vps: [] },
        ],
        ip: '10.20.0.1',
      },
    ],
    [
      'flags',
      {
        networks: [
          { ...backend, attached: true, ip: '10.20.0.1' },
          { ...staging, attached: false },
        ],
      },
    ],
    [
      'a map by identifier',
      {
        vlans: {
          'vlan-1': { name: 'backend', range: '10.20.0.0/24' },
          'vlan-2': { name: 'staging', range: '10.30.0.0/24' },
        },
        vlan: { id: 'vlan-1', ip: '10.20.0.1' },
      },
    ],
    [
      'a range with the IP in it',
      {
        data: {
          list: [
            { uuid: 'vlan-1', label: 'backend', cidr: '10.20.0.0/24' },
            { uuid: 'vlan-2', label: 'staging', cidr: '10.30.0.0/24' },
          ],
          current: { vlanIp: '10.20.0.1' },
        },
      },
    ],
    [
      'a map of IPs by VPS',
      { items: [backend, staging], vlan_ips: { 'VPS-10002': '10.30.0.9', 'VPS-10001': '10.20.0.1' } },
    ],
  ])('are read from %s', (_, data) => {
    const { vlans, vpsIp } = readVlans(data, 'VPS-10001');
    expect(vlans).toMatchObject([
      { id: 'vlan-1', name: 'backend', ipRange: '10.20.0.0/24', isAttached: true },
      { id: 'vlan-2', name: 'staging', ipRange: '10.30.0.0/24', isAttached: false },
    ]);
    expect(vpsIp).toBe('10.20.0.1');
  });

  test('are not shown as attached if the payload does not say so', () => {
    const { vlans, vpsIp, otherFields } = readVlans({
      vlans: [backend],
      vlan_quota: 5,
      bandwidth: { mbps: 1000 },
    });
    expect(vlans[0]?.isAttached).toBeUndefined();
    expect(vpsIp).toBeUndefined();
    expect(otherFields).toEqual({ vlan_quota: 5, bandwidth: { mbps: 1000 } });
  });

  test('are all unattached if the VPS has no VLAN', () => {
    const { vlans } = readVlans({ vlans: [backend, staging], vlan_id: null, vlan_ip: null });
    expect(vlans.map(({ isAttached }) => isAttached)).toEqual([false, false]);
  });

  test('can have a numeric ID and IPv6', () => {
    const data = { vlans: [{ vlan_id: 42, subnet: 'fd00:1::/64' }], vlan_ip: 'fd00:1::5/64' };
    expect(readVlans(data).vlans).toMatchObject([{ id: '42', ipRange: 'fd00:1::/64', isAttached: true }]);
  });
});

describe('the VLAN IP', () => {
  const vlans = [backend, staging];

  test.each<[string, unknown, string | null | undefined]>([
    ['is said to be none', { vlans, vlan_ip: null }, null],
    ['is said to be none in a record', { vlans, current: { ip: '' } }, null],
    ['is not mentioned', { vlans, vlan_quota: 5 }, undefined],
    [
      'stands beside an empty one, under another name',
      { vlans, vlan_ip: null, nic: { v4: '10.20.0.5' } },
      undefined,
    ],
    ['is under a name that nobody knows', { vlans, nic_address_4: '10.20.0.5' }, undefined],
    ['is in a list', { vlans, vlan_ips: ['10.20.0.5'] }, '10.20.0.5'],
    ['is in a record of a list', { vlans, private_net: [{ network: 1, ip: '10.20.0.5' }] }, '10.20.0.5'],
    [
      'is in the record that names the VPS',
      {
        vlans,
        members: [
          { vps_name: 'VPS-10002', ip: '10.20.0.4' },
          { vps_name: 'vps-10001', ip: '10.20.0.5' },
        ],
      },
      '10.20.0.5',
    ],
    [
      'is among those of others',
      { vlans: [{ ...backend, members: [{ vps_name: 'VPS-10001', ip: '10.20.0.5' }] }] },
      '10.20.0.5',
    ],
    ['is one of another VPS', { vlans, members: [{ vps_name: 'VPS-10002', ip: '10.20.0.4' }] }, undefined],
    ['is one of several', { vlans, ports: [{ ip: '10.20.0.4' }, { ip: '10.20.0.5' }] }, undefined],
    ['is a range', { vlans, vlan_ip_range: '10.20.0.0/24' }, undefined],
    ['is a gateway', { vlans, gateway: { ip: '10.20.0.1' }, vlan_gateway_ip: '10.20.0.1' }, undefined],
    ['is outside of every range', { vlans, address: '203.0.113.9' }, undefined],
  ])('that %s', (_, data, ip) => {
    expect(readVlans(data, 'VPS-10001').vpsIp).toBe(ip);
  });
});

describe('an uncertain fact about a VLAN', () => {
  test.each<[string, unknown, (boolean | undefined)[]]>([
    ['members that are no VPS names', { vlans: [{ ...backend, servers: [40_001] }] }, [undefined]],
    ['a current VLAN that is not in the list', { vlans: [backend], vlan: true }, [undefined]],
    ['a current VLAN by name', { vlans: [backend, staging], vlan: 'staging' }, [false, true]],
    [
      'a flag as a number',
      {
        vlans: [
          { ...backend, attached: 1 },
          { ...staging, attached: 0 },
        ],
      },
      [true, false],
    ],
  ])('is not stated: %s', (_, data, attached) => {
    expect(readVlans(data, 'VPS-10001').vlans.map(({ isAttached }) => isAttached)).toEqual(attached);
  });
});
