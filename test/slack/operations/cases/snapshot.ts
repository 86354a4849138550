import type { OperationCase } from '../operation-case.ts';

const path = '/v1/vps/VPS-10005/snapshots';

export const snapshotCases: readonly OperationCase[] = [
  {
    operation: 'snapshot list',
    command: 'snapshot list VPS-10005',
    form: { values: { vps: 'VPS-10005' } },
    calls: [{ method: 'GET', path }],
    expectedTexts: [
      '2 snapshots of db-01 (VPS-10005)',
      'Taken',
      'weekly',
      'before-upgrade',
      'available',
      'Snapshot quota: 5',
    ],
  },
  {
    operation: 'snapshot list',
    command: 'snapshot list VPS-10003',
    calls: [{ method: 'GET', path: '/v1/vps/VPS-10003/snapshots' }],
    expectedTexts: ['No snapshots of api-01 (VPS-10003)', 'Take one before a change', 'Take Snapshot'],
  },
  {
    operation: 'snapshot create',
    command: 'snapshot create vps-10003 "before the move"',
    form: { values: { vps: 'VPS-10003', name: 'before the move' } },
    calls: [{ method: 'POST', path: '/v1/vps/VPS-10003/snapshots', body: { name: 'before the move' } }],
    expectedTexts: ['Take snapshot before the move of api-01 (VPS-10003): 🔄 In progress', 'List Snapshots'],
  },
  {
    operation: 'snapshot restore',
    command: 'snapshot restore VPS-10005 WEEKLY',
    form: { values: { vps: 'VPS-10005', snapshot: 'weekly' } },
    confirmation: 'VPS-10005',
    calls: [{ method: 'POST', path: `${path}/weekly/restore` }],
    expectedTexts: ['Restore db-01 (VPS-10005) from snapshot weekly: 🔄 In progress', 'restoring'],
  },
  {
    operation: 'snapshot delete',
    command: 'snapshot delete VPS-10005 before-upgrade',
    form: { values: { vps: 'VPS-10005', snapshot: 'before-upgrade' } },
    confirmation: true,
    calls: [{ method: 'DELETE', path: `${path}/before-upgrade` }],
    expectedTexts: ['Delete snapshot before-upgrade of db-01 (VPS-10005): ✅ Done'],
  },
];
