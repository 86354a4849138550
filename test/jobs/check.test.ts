import { expect, test } from 'vitest';
import { startSqlite, useTestDatabase } from '../db/test-database.ts';
import { createJobsFixture, defineTestKind, done } from './jobs-fixture.ts';

const database = useTestDatabase(startSqlite);

test('a kind whose missing jobs cannot be listed does not keep other kinds from getting theirs', async () => {
  const { createProcess, advance, poll } = createJobsFixture(database.db);
  const { jobs, log } = createProcess(
    defineTestKind(async () => done, {
      name: 'broken',
      listMissing: async () => {
        throw new Error('The list failed.');
      },
    }),
  );
  const ran: string[] = [];
  jobs.define(
    defineTestKind(
      async ({ id }) => {
        ran.push(id);
        return done;
      },
      {
        name: 'sound',
        listMissing: async () => (ran.length === 0 ? [{ id: 'a', payload: { step: 1 } }] : []),
      },
    ),
  );
  await jobs.start();
  await advance(60_000);
  await poll(() => ran).toEqual(['a']);
  expect(log.error).toHaveBeenCalledWith(
    { err: new Error('The list failed.'), jobs: ['broken'] },
    "can't check jobs of all kinds; retrying",
  );
  await jobs.stop(0);
});
