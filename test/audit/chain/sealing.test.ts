import { expect, test } from 'vitest';
import { createAuditChain } from '../../../src/audit/chain/audit-chain.ts';
import { createSealing, createStreaming } from '../../../src/audit/chain/sealing.ts';
import { startSqlite, useTestDatabase } from '../../db/test-database.ts';
import { createJobsFixture, defineTestKind, done } from '../../jobs/jobs-fixture.ts';
import { insertRuns } from '../insert-runs.ts';

const minuteMs = 60_000;

const database = useTestDatabase(startSqlite);

test('while the file of the stream cannot be written, runs are still sealed every minute, and are streamed later', async () => {
  const { createProcess, advance, clock } = createJobsFixture(database.db);
  const { jobs } = createProcess(defineTestKind(async () => done));
  const streamed: string[] = [];
  let isAway = true;
  jobs.definePeriodic(createSealing(database.db, createAuditChain('key')));
  jobs.definePeriodic(
    createStreaming(database.db, async (lines) => {
      if (isAway) throw new Error('the disk is full');
      streamed.push(...lines);
    }),
  );
  const listSealed = async () =>
    (await database.db.selectFrom('audit_chain').select('run_id').execute()).map(({ run_id: id }) => id);
  await jobs.start();
  for (const id of ['first', 'second']) {
    await advance(40 * minuteMs);
    await insertRuns(database.db, [{ id, requested_at: clock.now() }]);
    await advance(2 * minuteMs);
    expect(await listSealed()).toContain(id);
  }
  expect(streamed).toEqual([]);
  isAway = false;
  await advance(60 * minuteMs);
  expect(streamed).toHaveLength(2);
  await jobs.stop(0);
});
