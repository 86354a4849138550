import { expect, test, vi } from 'vitest';
import { createLocalDatabaseClock } from '../../../../src/jobs/database-clock.ts';
import { createJobs } from '../../../../src/jobs/jobs.ts';
import { createOutbox } from '../../../../src/messages/outbox.ts';
import { createReportStore } from '../../../../src/monitoring/reports/report.ts';
import { createReportPauses } from '../../../../src/monitoring/reports/reports.ts';
import { createRunStore } from '../../../../src/runs/store/run-store.ts';
import { startSqlite, useTestDatabase } from '../../../db/test-database.ts';
import { createManualClock } from '../../../jobs/clocks/manual-clock.ts';
import { testVault } from '../../../runs/test-vault.ts';

const database = useTestDatabase(startSqlite);

test('the creator of paused reports is told of all of them in one message, once', async () => {
  const { db } = database;
  const clock = createManualClock(Date.parse('2026-11-23T08:00Z'));
  const log = { warn: vi.fn(), error: vi.fn() };
  const jobs = createJobs({ db, databaseClock: createLocalDatabaseClock(clock), hasReplicas: false, log });
  const store = createReportStore(db);
  const pauses = createReportPauses(store, {
    outbox: createOutbox({ db, jobs, log }),
    runs: createRunStore(db, testVault),
    listAdmins: async () => [],
    clock,
  });
  const timing = { kind: 'day', at: '09:00', zone: 'UTC', quiet: [] } as const;
  for (const name of ['One', 'Two', 'Three']) {
    const plan = { name, channel: 'C0OPS', timing, content: {} };
    await store.add({ teamId: 'T0ACME', userId: 'U0ALICE' }, plan, clock.now());
  }
  const reports = await store.list('T0ACME');
  expect(await pauses.pause(reports, 'key')).toHaveLength(3);
  expect(await pauses.pause(reports, 'key')).toEqual([]);
  const messages = await db.selectFrom('message').select(['channel', 'about']).execute();
  expect(messages).toEqual([{ channel: 'U0ALICE', about: '3 reports are paused' }]);
  const entries = await db.selectFrom('run').select(['operation', 'user_id', 'target']).execute();
  expect(entries).toEqual([{ operation: 'report pause', user_id: 'U0ALICE', target: 'One, Three and Two' }]);
});

test.each([
  { admins: ['U0ALICE'], told: ['U0ALICE'] },
  { admins: ['U0ALICE', 'U0BOB'], told: ['U0BOB'] },
])(
  'if the rights of the creator are gone and the admins are $admins, $told is told',
  async ({ admins, told }) => {
    const { db } = database;
    const clock = createManualClock(Date.parse('2026-11-23T08:00Z'));
    const log = { warn: vi.fn(), error: vi.fn() };
    const jobs = createJobs({ db, databaseClock: createLocalDatabaseClock(clock), hasReplicas: false, log });
    const store = createReportStore(db);
    const pauses = createReportPauses(store, {
      outbox: createOutbox({ db, jobs, log }),
      runs: createRunStore(db, testVault),
      listAdmins: async () => admins,
      clock,
    });
    const timing = { kind: 'day', at: '09:00', zone: 'UTC', quiet: [] } as const;
    const plan = { name: 'Daily', channel: 'C0OPS', timing, content: {} };
    await store.add({ teamId: 'T0ACME', userId: 'U0ALICE' }, plan, clock.now());
    await pauses.pause(await store.list('T0ACME'), 'creator');
    const messages = await db.selectFrom('message').select('channel').execute();
    expect(messages.map(({ channel }) => channel)).toEqual(told);
  },
);
