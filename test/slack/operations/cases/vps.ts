import type { OperationCase } from '../operation-case.ts';

const vps = 'VPS-10001';

export const vpsCases: readonly OperationCase[] = [
  {
    operation: 'list',
    command: 'list',
    calls: [{ method: 'GET', path: '/v1/vps' }],
    expectedTexts: [
      '12 VPS',
      'States: 11 running, 1 stopped',
      'web-01 (VPS-10001) | 🟢 running | web-01.acme.example',
    ],
  },
  {
    operation: 'list',
    command: 'list stopped --sort hostname',
    calls: [{ method: 'GET', path: '/v1/vps' }],
    expectedTexts: ['1 of 12 VPS: stopped', 'legacy-01 (VPS-10012)', 'List All'],
  },
  {
    operation: 'show',
    command: 'show vps-10001',
    form: { values: { vps } },
    calls: [{ method: 'GET', path: '/v1/vps/VPS-10001' }],
    expectedTexts: ['VPS-10001', '*State:* 🟢 running', '*Hostname:* web-01.acme.example', 'Take Snapshot'],
  },
  {
    operation: 'ips',
    command: 'ips VPS-10001',
    form: { values: { vps } },
    calls: [{ method: 'GET', path: '/v1/vps/VPS-10001/ip-addresses' }],
    expectedTexts: ['IP addresses of web-01 (VPS-10001)', /IPv4 \| [\d.]+ \| \d+/, /IPv6 \| [\da-f:]+/],
  },
  {
    operation: 'reboot',
    command: 'reboot VPS-10001',
    form: { values: { vps } },
    confirmation: true,
    calls: [{ method: 'POST', path: '/v1/vps/VPS-10001/action', body: { action: 'reboot' } }],
    expectedTexts: ['Reboot web-01 (VPS-10001): 🔄 In progress', 'web-01 (VPS-10001) is rebooting'],
  },
  {
    operation: 'action',
    command: 'action VPS-10001 reboot',
    form: { values: { vps, action: 'reboot' } },
    confirmation: true,
    calls: [{ method: 'POST', path: '/v1/vps/VPS-10001/action', body: { action: 'reboot' } }],
    expectedTexts: ['Send reboot to web-01 (VPS-10001): 🔄 In progress', 'State: 🟡 rebooting'],
  },
  {
    operation: 'action',
    command: 'action VPS-10012 start',
    confirmation: true,
    calls: [{ method: 'POST', path: '/v1/vps/VPS-10012/action', body: { action: 'start' } }],
    expectedTexts: ['Send start to legacy-01 (VPS-10012): 🔄 In progress', 'State: 🟡 starting'],
  },
  {
    operation: 'os list',
    command: 'os list VPS-10001',
    form: { values: { vps } },
    calls: [{ method: 'GET', path: '/v1/vps/VPS-10001/reinstall' }],
    expectedTexts: [
      '6 systems for web-01 (VPS-10001)',
      'Debian 13',
      'debian-13',
      'Body delivery: api, email',
    ],
  },
  {
    operation: 'reinstall',
    command: 'reinstall VPS-10001 --os debian-13',
    form: { values: { vps, os: 'Debian 13', delivery: 'api' } },
    confirmation: vps,
    calls: [
      {
        method: 'POST',
        path: '/v1/vps/VPS-10001/reinstall',
        body: { os: 'debian-13', delivery: 'api' },
      },
    ],
    expectedTexts: ['Reinstall web-01 (VPS-10001) with debian-13: 🔄 In progress', 'State: 🟡 reinstalling'],
    hasSecret: true,
  },
  {
    operation: 'reinstall',
    command: 'reinstall VPS-10001 --os "Ubuntu 24.04 LTS" --delivery email --field hostname=web-9',
    form: {
      openingCommand: 'reinstall VPS-10001',
      values: {
        os: 'ubuntu-24.04',
        delivery: 'email',
        fields: [{ name: 'hostname', value: 'web-9' }],
      },
    },
    confirmation: vps,
    calls: [
      {
        method: 'POST',
        path: '/v1/vps/VPS-10001/reinstall',
        body: { os: 'ubuntu-24.04', delivery: 'email', hostname: 'web-9' },
      },
    ],
    expectedTexts: [
      'Reinstall web-01 (VPS-10001) with ubuntu-24.04, hostname=web-9: 🔄 In progress',
      'Sent to: ops@acme.example',
    ],
  },
  {
    operation: 'password reset',
    command: 'password reset VPS-10001',
    form: { values: { vps } },
    confirmation: true,
    calls: [{ method: 'POST', path: '/v1/vps/VPS-10001/root-password/reset', body: { delivery: 'email' } }],
    expectedTexts: ['Reset the root password of web-01 (VPS-10001): ✅ Done', 'Sent to: ops@acme.example'],
  },
  {
    operation: 'password reset',
    command: 'password reset VPS-10001 --delivery api',
    form: { values: { vps, delivery: 'api' } },
    confirmation: true,
    calls: [{ method: 'POST', path: '/v1/vps/VPS-10001/root-password/reset', body: { delivery: 'api' } }],
    expectedTexts: ['Reset the root password of web-01 (VPS-10001): ✅ Done', 'Delivery: api'],
    hasSecret: true,
  },
];
