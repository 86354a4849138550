import { describe, expect, test } from 'vitest';
import { readVlans } from '../../../src/hosting/readings/vlans.ts';

const backend = { id: 'vlan-1', name: 'backend', ip_range: '10.20.0.0/24' };
const staging = { id: 'vlan-2', name: 'staging', ip_range: '10.30.0.0/24' };

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
    const { vlans, ipOfVps } = readVlans(data, 'VPS-10001');
    expect(vlans).toMatchObject([
      { id: 'vlan-1', name: 'backend', ipRange: '10.20.0.0/24', attached: true },
      { id: 'vlan-2', name: 'staging', ipRange: '10.30.0.0/24', attached: false },
    ]);
    expect(ipOfVps).toBe('10.20.0.1');
  });

  test('are not claimed to be attached where nothing tells', () => {
    const { vlans, ipOfVps, quotas } = readVlans({
      vlans: [backend],
      vlan_quota: 5,
      bandwidth: { mbps: 1000 },
    });
    expect(vlans[0]?.attached).toBeUndefined();
    expect(ipOfVps).toBeUndefined();
    expect(quotas).toEqual({ vlan_quota: 5, bandwidth: { mbps: 1000 } });
  });

  test('are all free where the VPS is said to be in none', () => {
    const { vlans } = readVlans({ vlans: [backend, staging], vlan_id: null, vlan_ip: null });
    expect(vlans.map(({ attached }) => attached)).toEqual([false, false]);
  });

  test('may have an identifier that is a number, and IPv6', () => {
    const data = { vlans: [{ vlan_id: 42, subnet: 'fd00:1::/64' }], vlan_ip: 'fd00:1::5/64' };
    expect(readVlans(data).vlans).toMatchObject([{ id: '42', ipRange: 'fd00:1::/64', attached: true }]);
  });
});
