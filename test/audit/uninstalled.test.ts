import { expect, test } from 'vitest';
import { createAuditLog } from '../../src/audit/audit-log.ts';
import { createAuditSubscriptionStore } from '../../src/audit/subscriptions/audit-subscription-store.ts';
import { openDatabase } from '../../src/db/database.ts';
import { createRunStore } from '../../src/runs/store/run-store.ts';
import { catalogue } from './audit-fixture.ts';

test('uninstalling the app ends the audit subscription of that workspace alone', async () => {
  const { db, close } = await openDatabase('sqlite::memory:');
  const subscriptions = createAuditSubscriptionStore(db);
  const createSubscription = (teamId: string) => ({ teamId, channel: 'C1', createdBy: 'U1', createdMs: 1 });
  for (const teamId of ['T1', 'T2']) await subscriptions.save(createSubscription(teamId));
  const auditLog = createAuditLog({
    db,
    runs: createRunStore(db),
    publisher: {
      postNotifications: async () => ({ kind: 'delivered' }),
      postIntro: async () => ({ kind: 'delivered' }),
      sendDirectMessage: async () => undefined,
    },
    deliverExport: async () => undefined,
    findDisplayName: async (_, id) => id,
    log: { error: fail, warn: fail, info: () => undefined },
  });
  auditLog.start(catalogue);
  await auditLog.handleUninstalled('T1');
  await auditLog.handleUninstalled('T1');
  expect(await subscriptions.find('T1')).toBeUndefined();
  expect(await subscriptions.find('T2')).toEqual(createSubscription('T2'));
  await auditLog.stop();
  await close();
});

function fail(...logged: unknown[]): void {
  throw new Error(`unexpected log: ${JSON.stringify(logged)}`);
}
