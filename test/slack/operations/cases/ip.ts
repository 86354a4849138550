import type { OperationCase } from '../operation-case.ts';

const services = '/v1/services/ip-addresses';
const attachesIpv6 = /^\/v1\/services\/ip-addresses\/ipv6\/ip6-[0-9a-f]{8}\/attach$/;
const detachesIpv6 = /^\/v1\/services\/ip-addresses\/ipv6\/ip6-[0-9a-f]{8}\/detach$/;

export const ipCases: readonly OperationCase[] = [
  {
    operation: 'ip list',
    command: 'ip list',
    calls: [
      { method: 'GET', path: `${services}/ipv4` },
      { method: 'GET', path: `${services}/ipv6` },
    ],
    expectedTexts: [
      '34 IP addresses',
      'Free: 4 IPv4, 4 IPv6',
      '198.18.0.23',
      'free',
      'ipv4:514',
      'VPS-10012',
    ],
  },
  {
    operation: 'ip attach',
    command: 'ip attach 198.18.0.23 VPS-10004',
    form: { values: { ip: '198.18.0.23', vps: 'VPS-10004' } },
    calls: [{ method: 'POST', path: `${services}/ipv4/514/attach`, body: { vps_name: 'VPS-10004' } }],
    expectedTexts: ['Attach 198.18.0.23 to worker-01 (VPS-10004): ✅ Done'],
  },
  {
    operation: 'ip attach',
    command: 'ip attach 2001:db8:1d::1 VPS-10004',
    form: { values: { ip: '2001:db8:1d::1', vps: 'VPS-10004' } },
    calls: [{ method: 'POST', path: attachesIpv6, body: { vps_name: 'VPS-10004' } }],
    expectedTexts: ['Attach 2001:db8:1d::1 to worker-01 (VPS-10004): ✅ Done'],
  },
  {
    operation: 'ip detach',
    command: 'ip detach 503',
    form: { values: { ip: '198.18.0.12' } },
    confirmation: true,
    calls: [{ method: 'POST', path: `${services}/ipv4/503/detach` }],
    expectedTexts: ['Detach 198.18.0.12 from api-01 (VPS-10003): ✅ Done', 'Attach to a VPS'],
  },
  {
    operation: 'ip detach',
    command: 'ip detach 2001:db8:12::1',
    form: { values: { ip: '2001:db8:12::1' } },
    confirmation: true,
    calls: [{ method: 'POST', path: detachesIpv6 }],
    expectedTexts: ['Detach 2001:db8:12::1 from api-01 (VPS-10003): ✅ Done'],
  },
];
