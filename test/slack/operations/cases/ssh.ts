import type { Case } from '../case.ts';

export const sshCases: readonly Case[] = [
  {
    operation: 'ssh list',
    typed: 'ssh list',
    calls: [{ method: 'GET', path: '/v1/services/proxy-ssh-ipv4' }],
    sees: ['SSH to 12 VPS', /VPS-10001 \| ssh-proxy\.example\.net:\d+ \| 22/],
  },
  {
    operation: 'ssh set',
    typed: 'ssh set VPS-10004 2222',
    form: { values: { vps: 'VPS-10004', port: '2222' } },
    asks: true,
    calls: [
      {
        method: 'PATCH',
        path: '/v1/services/proxy-ssh-ipv4/vps/VPS-10004',
        body: { port_vps_ssh: 2222 },
      },
    ],
    sees: ['Set the SSH port of VPS-10004 to 2222: ✅ Done', 'External port'],
  },
];
