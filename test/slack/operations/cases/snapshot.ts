import type { Case } from '../case.ts';

const path = '/v1/vps/VPS-10005/snapshots';

export const snapshotCases: readonly Case[] = [
  {
    operation: 'snapshot list',
    typed: 'snapshot list VPS-10005',
    form: { values: { vps: 'VPS-10005' } },
    calls: [{ method: 'GET', path }],
    sees: ['2 snapshots of VPS-10005', 'Taken', 'weekly', 'before-upgrade', 'available', 'Snapshot quota: 5'],
  },
  {
    operation: 'snapshot list',
    typed: 'snapshot list VPS-10003',
    calls: [{ method: 'GET', path: '/v1/vps/VPS-10003/snapshots' }],
    sees: ['No snapshots of VPS-10003', 'Take one before you change something', 'Take Snapshot'],
  },
  {
    operation: 'snapshot create',
    typed: 'snapshot create vps-10003 "before the move"',
    form: { values: { vps: 'VPS-10003', name: 'before the move' } },
    calls: [{ method: 'POST', path: '/v1/vps/VPS-10003/snapshots', body: { name: 'before the move' } }],
    sees: ['Take snapshot before the move of VPS-10003: ✅ Done', 'List Snapshots'],
  },
  {
    operation: 'snapshot restore',
    typed: 'snapshot restore VPS-10005 WEEKLY',
    form: { values: { vps: 'VPS-10005', snapshot: 'weekly' } },
    asks: 'VPS-10005',
    calls: [{ method: 'POST', path: `${path}/weekly/restore` }],
    sees: ['Restore VPS-10005 from snapshot weekly: 🔄 Under way', 'restoring'],
  },
  {
    operation: 'snapshot delete',
    typed: 'snapshot delete VPS-10005 before-upgrade',
    form: { values: { vps: 'VPS-10005', snapshot: 'before-upgrade' } },
    asks: true,
    calls: [{ method: 'DELETE', path: `${path}/before-upgrade` }],
    sees: ['Delete snapshot before-upgrade of VPS-10005: ✅ Done'],
  },
];
