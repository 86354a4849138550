import type { OperationCase } from '../operation-case.ts';

const path = '/v1/vps/VPS-10001/backup-ftp';
const form = { values: { vps: 'VPS-10001' } };

export const backupCases: readonly OperationCase[] = [
  {
    operation: 'backup show',
    command: 'backup show VPS-10001',
    form,
    calls: [{ method: 'GET', path }],
    expectedTexts: ['Backup space of web-01 (VPS-10001)', 'State: 🟢 active', 'Quota: 100 GiB', 'Password'],
    hasSecret: true,
  },
  {
    operation: 'backup show',
    command: 'backup show VPS-10002',
    calls: [{ method: 'GET', path: '/v1/vps/VPS-10002/backup-ftp' }],
    expectedTexts: ['Backup space of web-02 (VPS-10002)', 'State: ⚪ inactive', 'Enable'],
  },
  {
    operation: 'backup enable',
    command: 'backup enable VPS-10002',
    form: { values: { vps: 'VPS-10002' } },
    calls: [{ method: 'PATCH', path: '/v1/vps/VPS-10002/backup-ftp', body: { enabled: true } }],
    expectedTexts: ['Enable backup space for web-02 (VPS-10002): ✅ Done', 'State: 🟢 active'],
    hasSecret: true,
  },
  {
    operation: 'backup disable',
    command: 'backup disable VPS-10001',
    form,
    confirmation: true,
    calls: [{ method: 'PATCH', path, body: { enabled: false } }],
    expectedTexts: ['Disable backup space for web-01 (VPS-10001): ✅ Done', 'State: ⚪ inactive'],
  },
  {
    operation: 'backup regenerate',
    command: 'backup regenerate VPS-10001',
    form,
    confirmation: true,
    calls: [{ method: 'POST', path: `${path}/regenerate` }],
    expectedTexts: ['Regenerate backup credentials for web-01 (VPS-10001): ✅ Done', 'State: 🟢 active'],
    hasSecret: true,
  },
];
