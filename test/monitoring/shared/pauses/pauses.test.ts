import { expect, test, vi } from 'vitest';
import { createLocalDatabaseClock } from '../../../../src/jobs/database-clock.ts';
import { createJobs } from '../../../../src/jobs/jobs.ts';
import { createOutbox } from '../../../../src/messages/outbox.ts';
import { createPostOutcome } from '../../../../src/messages/post-outcome.ts';
import { createReportStore, type Report } from '../../../../src/monitoring/reports/report.ts';
import { createPauses } from '../../../../src/monitoring/shared/pauses/pauses.ts';
import { createRunStore } from '../../../../src/runs/store/run-store.ts';
import { startSqlite, useTestDatabase } from '../../../db/test-database.ts';
import { createManualClock } from '../../../jobs/clocks/manual-clock.ts';
import { testVault } from '../../../runs/test-vault.ts';

const database = useTestDatabase(startSqlite);

/** Adds reports of Alice, and returns what pauses them. */
async function createReports(names: readonly string[], admins: readonly string[] = []) {
  const { db } = database;
  const clock = createManualClock(Date.parse('2026-11-23T08:00Z'));
  const log = { warn: vi.fn(), error: vi.fn() };
  const jobs = createJobs({ db, databaseClock: createLocalDatabaseClock(clock), hasReplicas: false, log });
  const store = createReportStore(db);
  const outbox = createOutbox({ db, jobs, log });
  const runs = createRunStore(db, testVault);
  const listAdmins = async () => admins;
  const { transact } = outbox;
  const postOutcome = createPostOutcome(outbox);
  const pauses = createPauses<Report>({
    kind: 'report',
    store,
    postOutcome,
    transact,
    runs,
    listAdmins,
    clock,
  });
  const timing = { kind: 'day', at: '09:00', zone: 'UTC', quiet: [] } as const;
  for (const name of names) {
    const plan = { name, channel: 'C0OPS', timing, content: {} };
    await store.add({ teamId: 'T0ACME', userId: 'U0ALICE' }, plan, clock.now());
  }
  return { pauses, reports: await store.list('T0ACME') };
}

const listMessages = () =>
  database.db.selectFrom('message').select(['channel', 'about']).orderBy('channel', 'desc').execute();

test('the creator of paused reports and their channel are told of all of them in one message, once', async () => {
  const { pauses, reports } = await createReports(['One', 'Two', 'Three']);
  expect(await pauses.pause(reports, 'key')).toHaveLength(3);
  expect(await pauses.pause(reports, 'key')).toEqual([]);
  const about = '3 reports are paused';
  expect(await listMessages()).toEqual([
    { channel: 'U0ALICE', about },
    { channel: 'C0OPS', about },
  ]);
  const entries = await database.db.selectFrom('run').select(['operation', 'user_id', 'target']).execute();
  expect(entries).toEqual([{ operation: 'report pause', user_id: 'U0ALICE', target: 'One, Three and Two' }]);
});

test.each([
  { admins: ['U0ALICE'], told: ['U0ALICE'] },
  { admins: ['U0ALICE', 'U0BOB'], told: ['U0BOB'] },
])(
  'if the rights of the creator are gone and the admins are $admins, $told is told',
  async ({ admins, told }) => {
    const { pauses, reports } = await createReports(['Daily'], admins);
    await pauses.pause(reports, 'creator');
    expect((await listMessages()).map(({ channel }) => channel)).toEqual([...told, 'C0OPS']);
  },
);
