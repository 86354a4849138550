import { expect, test } from 'vitest';
import { createRunStore } from '../../../src/runs/store/run-store.ts';
import { startSqlite, useTestDatabase } from '../../db/test-database.ts';
import { createRun } from '../create-run.ts';
import { testVault } from '../test-vault.ts';

const database = useTestDatabase(startSqlite);

test('only recent ends whose process has ended are shown by another process, once', async () => {
  const runs = createRunStore(database.db, testVault);
  const add = async (id: string, owner: string, untilMs: number, settledMs: number | null) => {
    await runs.claim(createRun({ id }), id, { owner, untilMs });
    await database.db.updateTable('run').set({ settled_at: settledMs }).where('id', '=', id).execute();
  };
  await add('undelivered', 'gone', 1_999, 500);
  await add('old', 'gone', 1_999, 499);
  await add('own', 'this', 1_999, 500);
  await add('alive', 'other', 2_000, 500);
  await add('running', 'gone', 1_999, null);
  const show = async () => {
    return (await runs.showUndelivered('this', 2_000, 500)).map(({ id }) => id);
  };
  expect(await show()).toEqual(['undelivered']);
  expect(await show()).toEqual([]);
});
