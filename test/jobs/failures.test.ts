import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startSqlite, useTestDatabase } from '../db/test-database.ts';
import { createJobsFixture, defineTestKind, done } from './jobs-fixture.ts';

const database = useTestDatabase(startSqlite);

/** Starts a process that loses the database during a job, right after it was told to stop. */
async function stopDuringOutage(graceMs: number) {
  const fixture = createJobsFixture(database.db);
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(database.db);
  const isStopping = Promise.withResolvers<void>();
  let runCount = 0;
  const process = fixture.createProcess(
    defineTestKind(async () => {
      runCount += 1;
      await isStopping.promise;
      await rename('job', 'out_of_reach');
      return done;
    }),
  );
  await process.queue.schedule({ id: 'a', payload: { step: 1 } });
  await process.jobs.start();
  await fixture.poll(() => runCount).toBe(1);
  const stopped = process.jobs.stop(graceMs);
  isStopping.resolve();
  const endOutage = () => rename('out_of_reach', 'job');
  return { ...fixture, ...process, stopped, endOutage };
}

test('the end of a job is saved although the database was out of reach for a moment during the stop', async () => {
  const { stopped, endOutage, advance, poll, log, listRows } = await stopDuringOutage(60_000);
  await poll(() => log.warn.mock.calls.length).toBe(1);
  await endOutage();
  await advance(1_000);
  await stopped;
  expect(await listRows()).toEqual([]);
});

test('a stop ends although the database stays out of reach', async () => {
  const { stopped, endOutage, log } = await stopDuringOutage(20);
  await stopped;
  expect(log.error).toHaveBeenCalledWith(expect.anything(), "can't release the running jobs");
  await endOutage();
});
