import { expect, test } from 'vitest';
import { stopWithinGrace } from '../../src/app/stop.ts';
import { createLocalDatabaseClock } from '../../src/jobs/database-clock.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { startSqlite, useTestDatabase } from '../db/test-database.ts';
import { defineTestKind } from '../jobs/jobs-fixture.ts';

const database = useTestDatabase(startSqlite);

test('jobs are told of a stop at once, and released after the grace period, although deliveries still arrive', async () => {
  const log = { info() {}, warn() {}, error() {} };
  const jobs = createJobs({
    db: database.db,
    databaseClock: createLocalDatabaseClock(),
    hasReplicas: true,
    log,
  });
  const events: string[] = [];
  const told = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  const queue = jobs.define(
    defineTestKind(async (_, { signal }) => {
      signal.addEventListener('abort', () => told.resolve());
      return never;
    }),
  );
  await queue.schedule({ id: 'a', payload: { step: 1 } });
  await jobs.start();
  const drained = async () => {};
  const stopped = stopWithinGrace(
    {
      stopAccepting: () => never,
      jobs,
      rateLimiter: { close: drained },
      requests: { drained },
      uninstaller: { drained },
      runner: { stop: drained, interrupt: () => events.push('grace ended'), release: drained },
      close: drained,
      log,
    },
    500,
  );
  await told.promise;
  expect(events).toEqual([]);
  await stopped;
  const [row] = await database.db.selectFrom('job').selectAll().execute();
  expect(row?.claim_token).toBe(null);
});
