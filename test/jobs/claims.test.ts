import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { startSqlite, useTestDatabase } from '../db/test-database.ts';
import { createJobsFixture, defineTestKind, done } from './jobs-fixture.ts';

const dayMs = 24 * 60 * 60_000;
const payload = { step: 1 };

const database = useTestDatabase(startSqlite);
const fixtureOf = () => createJobsFixture(database.db);
const rename = (from: string, to: string) =>
  sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(database.db);

test('an end that cannot be saved for half a minute is given up, and the job begins again', async () => {
  const { createProcess, advance, poll, listRows } = fixtureOf();
  let began = 0;
  const { jobs, queue, log } = createProcess(
    defineTestKind(async () => {
      began += 1;
      if (began === 1) await rename('job', 'out_of_reach');
      return done;
    }),
  );
  await queue.schedule({ id: 'a', payload });
  await jobs.start();
  await poll(() => log.warn.mock.calls.length).toBeGreaterThan(0);
  const findGivenUp = () => log.error.mock.calls.filter(([, text]) => text === "can't save how a job ended");
  for (let second = 0; second < 29; second += 1) await advance(1_000);
  expect(findGivenUp()).toEqual([]);
  await poll(findGivenUp, 1_000).toHaveLength(1);
  await rename('out_of_reach', 'job');
  await poll(async () => (await listRows()).length, 1_000).toBe(0);
  expect(began).toBe(2);
  await jobs.stop(0);
});

test('a process that is stopped while it claims jobs begins no other', async () => {
  const { createProcess, listRows } = fixtureOf();
  const began: string[] = [];
  let stopped: Promise<void> | undefined;
  const { jobs, queue } = createProcess(
    defineTestKind(async ({ id }) => {
      began.push(id);
      stopped ??= jobs.stop(dayMs);
      return done;
    }),
  );
  for (const id of ['a', 'b']) await queue.schedule({ id, payload });
  await jobs.start();
  await stopped;
  expect(began).toEqual(['a']);
  expect(await listRows()).toMatchObject([{ id: 'b', claim_token: null, attempts: 0 }]);
});

test('a check for missing jobs that failed is repeated after half a minute, and jobs run in the meantime', async () => {
  const { createProcess, advance, listRows } = fixtureOf();
  const listMissing = vi
    .fn<() => Promise<{ id: string; payload: typeof payload }[]>>()
    .mockRejectedValueOnce(new Error('the database is away'))
    .mockResolvedValue([{ id: 'missing', payload }]);
  const ran: string[] = [];
  const { jobs, queue } = createProcess(
    defineTestKind(
      async ({ id }) => {
        ran.push(id);
        return done;
      },
      { listMissing },
    ),
  );
  await queue.schedule({ id: 'a', payload });
  await jobs.start();
  await advance(29_000);
  expect([ran, listMissing.mock.calls.length]).toEqual([['a'], 1]);
  // The next poll is at most a minute after the last one.
  await advance(60_000);
  expect(ran).toEqual(['a', 'missing']);
  expect(await listRows()).toEqual([]);
  await jobs.stop(0);
});
