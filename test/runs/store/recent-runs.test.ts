import { expect, test } from 'vitest';
import { createRunStore } from '../../../src/runs/store/run-store.ts';
import { startSqlite, useTestDatabase } from '../../db/test-database.ts';
import { createRun, type RunFields } from '../create-run.ts';
import { testVault } from '../test-vault.ts';

const database = useTestDatabase(startSqlite);

test('the recent runs of a workspace are those that were queued, without the parts of a batch', async () => {
  const runs = createRunStore(database.db, testVault);
  const add = (id: string, fields: Partial<RunFields>) =>
    runs.claim(createRun({ id, status: 'queued', settledMs: null, ...fields }), id, {
      owner: 'one',
      untilMs: 1_000,
    });
  await add('first', { requestedMs: 1 });
  await add('second', { requestedMs: 2 });
  await add('checked', { requestedMs: 3, status: 'waiting', queuedMs: null });
  await add('part', { requestedMs: 4, batchId: 'second' });
  await add('elsewhere', { requestedMs: 5, actor: { teamId: 'T0GLOBEX', userId: 'U0ALICE' } });
  const list = async (limit: number) => (await runs.listRecent('T0ACME', limit)).map(({ id }) => id);
  expect(await list(10)).toEqual(['second', 'first']);
  expect(await list(1)).toEqual(['second']);
});
