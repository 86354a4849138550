import type { Case } from '../case.ts';

const vps = 'VPS-10001';

export const vpsCases: readonly Case[] = [
  {
    operation: 'list',
    typed: 'list',
    calls: [{ method: 'GET', path: '/v1/vps' }],
    sees: ['12 VPS', 'States: 11 running, 1 stopped', 'VPS-10001 | 🟢 running | web-01.acme.example'],
  },
  {
    operation: 'show',
    typed: 'show vps-10001',
    form: { values: { vps } },
    calls: [{ method: 'GET', path: '/v1/vps/VPS-10001' }],
    sees: ['VPS-10001', 'State: 🟢 running', 'Hostname: web-01.acme.example', 'Take Snapshot'],
  },
  {
    operation: 'ips',
    typed: 'ips VPS-10001',
    form: { values: { vps } },
    calls: [{ method: 'GET', path: '/v1/vps/VPS-10001/ip-addresses' }],
    sees: ['IP addresses of VPS-10001', /IPv4 \| [\d.]+ \| \d+/, /IPv6 \| [\da-f:]+/],
  },
  {
    operation: 'reboot',
    typed: 'reboot VPS-10001',
    form: { values: { vps } },
    asks: true,
    calls: [{ method: 'POST', path: '/v1/vps/VPS-10001/action', body: { action: 'reboot' } }],
    sees: ['Reboot VPS-10001: 🔄 Under way', 'VPS-10001 is rebooting'],
  },
  {
    operation: 'action',
    typed: 'action VPS-10001 reboot',
    form: { values: { vps, action: 'reboot' } },
    asks: true,
    calls: [{ method: 'POST', path: '/v1/vps/VPS-10001/action', body: { action: 'reboot' } }],
    sees: ['Send reboot to VPS-10001: 🔄 Under way', 'State: 🟡 rebooting'],
  },
  {
    operation: 'action',
    typed: 'action VPS-10012 start',
    calls: [{ method: 'POST', path: '/v1/vps/VPS-10012/action', body: { action: 'start' } }],
    sees: ['Send start to VPS-10012: 🔄 Under way', 'State: 🟡 starting'],
  },
  {
    operation: 'action',
    typed: 'action VPS-10002 shutdown',
    asks: true,
    calls: [{ method: 'POST', path: '/v1/vps/VPS-10002/action', body: { action: 'shutdown' } }],
    sees: ['Send shutdown to VPS-10002: 🔄 Under way', 'State: 🟡 stopping'],
  },
  {
    operation: 'reinstall',
    typed: 'reinstall VPS-10001 --os debian-13',
    form: { values: { vps, os: 'Debian 13', delivery: 'api' } },
    asks: vps,
    calls: [
      { method: 'GET', path: '/v1/vps/VPS-10001/reinstall' },
      {
        method: 'POST',
        path: '/v1/vps/VPS-10001/reinstall',
        body: { os: 'debian-13', delivery: 'api' },
      },
    ],
    sees: ['Reinstall VPS-10001 with debian-13: 🔄 Under way', 'State: 🟡 reinstalling'],
    secret: true,
  },
  {
    operation: 'reinstall',
    typed: 'reinstall VPS-10001 --os "Ubuntu 24.04 LTS" --delivery email',
    form: { opening: 'reinstall VPS-10001', values: { os: 'ubuntu-24.04', delivery: 'email' } },
    asks: vps,
    calls: [
      {
        method: 'POST',
        path: '/v1/vps/VPS-10001/reinstall',
        body: { os: 'ubuntu-24.04', delivery: 'email' },
      },
    ],
    sees: ['Reinstall VPS-10001 with ubuntu-24.04: 🔄 Under way', 'Sent to: ops@acme.example'],
  },
  {
    operation: 'password reset',
    typed: 'password reset VPS-10001',
    form: { values: { vps } },
    asks: true,
    calls: [{ method: 'POST', path: '/v1/vps/VPS-10001/root-password/reset', body: { delivery: 'email' } }],
    sees: ['Reset the root password of VPS-10001: ✅ Done', 'Sent to: ops@acme.example'],
  },
  {
    operation: 'password reset',
    typed: 'password reset VPS-10001 --delivery api',
    form: { values: { vps, delivery: 'api' } },
    asks: true,
    calls: [{ method: 'POST', path: '/v1/vps/VPS-10001/root-password/reset', body: { delivery: 'api' } }],
    sees: ['Reset the root password of VPS-10001: ✅ Done', 'Delivery: api'],
    secret: true,
  },
];
