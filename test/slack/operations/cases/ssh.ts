import type { OperationCase } from '../operation-case.ts';

export const sshCases: readonly OperationCase[] = [
  {
    operation: 'ssh list',
    command: 'ssh list',
    calls: [{ method: 'GET', path: '/v1/services/proxy-ssh-ipv4' }],
    expectedTexts: ['SSH to 12 VPS', /web-01 \(VPS-10001\) \| ssh-proxy\.example\.net:\d+ \| 22/],
  },
  {
    operation: 'ssh set',
    command: 'ssh set VPS-10004 2222',
    form: { values: { vps: 'VPS-10004', port: '2222' } },
    confirmation: true,
    calls: [
      {
        method: 'PATCH',
        path: '/v1/services/proxy-ssh-ipv4/vps/VPS-10004',
        body: { port_vps_ssh: 2222 },
      },
    ],
    expectedTexts: ['Set the SSH port of worker-01 (VPS-10004) to 2222: ✅ Done', 'External port'],
  },
];
