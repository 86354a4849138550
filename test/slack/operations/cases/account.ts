import type { Case } from '../case.ts';

export const accountCases: readonly Case[] = [
  {
    operation: 'status',
    typed: 'status',
    calls: [{ method: 'GET', path: '/v1' }],
    sees: ['Hosting sandbox answers', 'API version: v1', 'vps.manage', 'Permissions that it lacks: none'],
  },
  {
    operation: 'whoami',
    typed: 'whoami',
    calls: [{ method: 'GET', path: '/v1/me' }],
    sees: ['The API key of this workspace', 'User name: Acme GmbH', 'Access permissions: vps.read'],
  },
  {
    operation: 'quota',
    typed: 'quota',
    calls: [],
    sees: ['50 of 50 calls left this minute', 'Waiting: nobody'],
  },
  {
    operation: 'help',
    typed: 'help',
    calls: [],
    sees: ['What you can do', 'Servers', 'list, show, ips, reboot', 'snapshot list, create'],
  },
  {
    operation: 'help',
    typed: 'help reinstall',
    calls: [],
    sees: [
      'Reinstall a VPS',
      'Operating system',
      '/vps reinstall VPS --os OS [--delivery MODE]',
      'vps.manage',
    ],
  },
];
