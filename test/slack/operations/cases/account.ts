import type { OperationCase } from '../operation-case.ts';

export const accountCases: readonly OperationCase[] = [
  {
    operation: 'status',
    command: 'status',
    calls: [{ method: 'GET', path: '/v1' }],
    expectedTexts: ['Hosting sandbox answers', 'API version: v1', 'vps.manage', 'Missing permissions: none'],
  },
  {
    operation: 'whoami',
    command: 'whoami',
    calls: [{ method: 'GET', path: '/v1/me' }],
    expectedTexts: ["This workspace's API key", 'User name: Acme GmbH', 'Access permissions: vps.read'],
  },
  {
    operation: 'quota',
    command: 'quota',
    calls: [],
    expectedTexts: [/\d+ of 50 calls left this minute/, 'Waiting: none'],
  },
  {
    operation: 'help',
    command: 'help',
    calls: [],
    expectedTexts: ['What you can do', 'Servers', 'list, show, ips, reboot', 'snapshot list, create'],
  },
  {
    operation: 'help',
    command: 'help reinstall',
    calls: [],
    expectedTexts: [
      'Reinstall a VPS',
      'Operating system',
      '/vps reinstall VPS --os OS [--delivery MODE]',
      'vps.manage',
    ],
  },
];
