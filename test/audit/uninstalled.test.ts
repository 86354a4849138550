import { expect, test } from 'vitest';
import { createAuditLog } from '../../src/audit/audit-log.ts';
import { createAuditChain } from '../../src/audit/chain/audit-chain.ts';
import { createAuditSubscriptionStore } from '../../src/audit/subscriptions/audit-subscription-store.ts';
import { openDatabase } from '../../src/db/engines/database.ts';
import { createLocalDatabaseClock } from '../../src/jobs/database-clock.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { createRunStore } from '../../src/runs/store/run-store.ts';

test('uninstalling the app ends the audit subscription of that workspace alone', async () => {
  const { db, close } = await openDatabase('sqlite::memory:');
  const subscriptions = createAuditSubscriptionStore(db);
  const createSubscription = (teamId: string) => ({ teamId, channel: 'C1', createdBy: 'U1', createdMs: 1 });
  for (const teamId of ['T1', 'T2']) await subscriptions.save(createSubscription(teamId));
  const log = { error: fail, warn: fail, info: () => undefined };
  const jobs = createJobs({ db, databaseClock: createLocalDatabaseClock(), hasReplicas: false, log });
  const auditLog = createAuditLog({
    db,
    jobs,
    runs: createRunStore(db),
    chain: createAuditChain('key'),
    publisher: {
      postNotifications: async () => ({ kind: 'delivered' }),
      postIntro: async () => ({ kind: 'delivered' }),
      sendDirectMessage: async () => undefined,
    },
    deliverExport: async () => undefined,
    findDisplayName: async (_, id) => id,
    labelVpsFor: async () => (text) => text,
    log,
  });
  await auditLog.handleUninstalled('T1');
  await auditLog.handleUninstalled('T1');
  expect(await subscriptions.find('T1')).toBeUndefined();
  expect(await subscriptions.find('T2')).toEqual(createSubscription('T2'));
  await close();
});

function fail(...logged: unknown[]): void {
  throw new Error(`unexpected log: ${JSON.stringify(logged)}`);
}
