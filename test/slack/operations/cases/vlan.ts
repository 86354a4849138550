import { expect } from 'vitest';
import type { OperationCase } from '../operation-case.ts';

/** The sandbox makes IDs up. People know a VLAN by its name. */
const id = expect.stringMatching(/^vlan-[0-9a-f]{8}$/);

export const vlanCases: readonly OperationCase[] = [
  {
    operation: 'vlan list',
    command: 'vlan list VPS-10002',
    form: { values: { vps: 'VPS-10002' } },
    calls: [{ method: 'GET', path: '/v1/vps/VPS-10002/vlan' }],
    expectedTexts: [
      '2 VLANs',
      'VLAN of web-02 (VPS-10002): backend',
      '10.20.0.2',
      'staging',
      '10.30.0.0/24',
      'VLAN quota: 5',
    ],
  },
  {
    operation: 'vlan create',
    command: 'vlan create VPS-10001 office 10.40.0.0/24',
    form: { values: { vps: 'VPS-10001', name: 'office', ip_range: '10.40.0.0/24' } },
    calls: [
      {
        method: 'POST',
        path: '/v1/vps/VPS-10001/vlan',
        body: { name: 'office', ip_range: '10.40.0.0/24' },
      },
    ],
    expectedTexts: ['Create VLAN office with 10.40.0.0/24: ✅ Done', 'Attach a VPS'],
  },
  {
    operation: 'vlan attach',
    command: 'vlan attach VPS-10008 staging',
    form: { values: { vps: 'VPS-10008', vlan: 'staging' } },
    calls: [{ method: 'POST', path: '/v1/vps/VPS-10008/vlan/attach', body: { vlan_id: id } }],
    expectedTexts: [
      'Attach files-01 (VPS-10008) to VLAN staging: ✅ Done',
      'VLAN IP: 10.30.0.1',
      /VLAN ID: vlan-\w+/,
    ],
  },
  {
    operation: 'vlan detach',
    command: 'vlan detach VPS-10003 Backend',
    form: { values: { vps: 'VPS-10003', vlan: 'backend' } },
    confirmation: true,
    calls: [{ method: 'POST', path: '/v1/vps/VPS-10003/vlan/detach', body: { vlan_id: id } }],
    expectedTexts: [
      'Detach api-01 (VPS-10003) from VLAN backend: ✅ Done',
      /VLAN ID: vlan-\w+/,
      'Attach Again',
    ],
  },
  {
    operation: 'vlan delete',
    command: 'vlan delete VPS-10001 10.30.0.0/24',
    form: { values: { vps: 'VPS-10001', vlan: 'staging' } },
    confirmation: true,
    calls: [{ method: 'DELETE', path: /^\/v1\/vps\/VPS-10001\/vlan\/vlan-[0-9a-f]{8}$/ }],
    expectedTexts: ['Delete VLAN staging: ✅ Done', 'VLAN staging was deleted'],
  },
];
