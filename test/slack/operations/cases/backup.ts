import type { Case } from '../case.ts';

const path = '/v1/vps/VPS-10001/backup-ftp';
const form = { values: { vps: 'VPS-10001' } };

export const backupCases: readonly Case[] = [
  {
    operation: 'backup show',
    typed: 'backup show VPS-10001',
    form,
    calls: [{ method: 'GET', path }],
    sees: ['Backup space of VPS-10001', 'State: 🟢 active', 'Quota: 100 GiB', 'Password'],
    secret: true,
  },
  {
    operation: 'backup show',
    typed: 'backup show VPS-10002',
    calls: [{ method: 'GET', path: '/v1/vps/VPS-10002/backup-ftp' }],
    sees: ['Backup space of VPS-10002', 'State: ⚪ inactive', 'Enable'],
  },
  {
    operation: 'backup enable',
    typed: 'backup enable VPS-10002',
    form: { values: { vps: 'VPS-10002' } },
    calls: [{ method: 'PATCH', path: '/v1/vps/VPS-10002/backup-ftp', body: { enabled: true } }],
    sees: ['Enable the backup space of VPS-10002: ✅ Done', 'State: 🟢 active'],
    secret: true,
  },
  {
    operation: 'backup disable',
    typed: 'backup disable VPS-10001',
    form,
    asks: true,
    calls: [{ method: 'PATCH', path, body: { enabled: false } }],
    sees: ['Disable the backup space of VPS-10001: ✅ Done', 'State: ⚪ inactive'],
  },
  {
    operation: 'backup regenerate',
    typed: 'backup regenerate VPS-10001',
    form,
    asks: true,
    calls: [{ method: 'POST', path: `${path}/regenerate` }],
    sees: ['Make new backup credentials for VPS-10001: ✅ Done', 'State: 🟢 active'],
    secret: true,
  },
];
