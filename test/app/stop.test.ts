import { expect, onTestFinished, test, vi } from 'vitest';
import { stopWithinGrace, toStopGraceMs } from '../../src/app/stop.ts';
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
      requests: { drained, interrupt: async () => void events.push('grace ended') },
      uninstaller: { drained },
      runner: { stop: drained, release: drained },
      close: drained,
      log,
    },
    1_500,
  );
  await told.promise;
  expect(events).toEqual([]);
  await stopped;
  const [row] = await database.db.selectFrom('job').selectAll().execute();
  expect(row?.claim_token).toBe(null);
});

test('a stop ends after its grace period, whatever does not end', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const forever = () => new Promise<never>(() => {});
  let hasEnded = false;
  void stopWithinGrace(
    {
      stopAccepting: forever,
      jobs: { stop: forever },
      rateLimiter: { close: forever },
      requests: { drained: forever, interrupt: forever },
      uninstaller: { drained: forever },
      runner: { stop: forever, release: forever },
      close: forever,
      log: { error: () => undefined },
    },
    toStopGraceMs({}),
  ).then(() => {
    hasEnded = true;
  });
  await vi.advanceTimersByTimeAsync(4_999);
  expect(hasEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(hasEnded).toBe(true);
});
