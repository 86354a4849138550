import { expect, test } from 'vitest';
import { toConfirmedState } from '../../../src/runs/confirmed-state.ts';
import type { Run } from '../../../src/runs/run.ts';
import { createRunStore } from '../../../src/runs/store/run-store.ts';
import { startSqlite, useTestDatabase } from '../../db/test-database.ts';
import { createRun } from '../create-run.ts';
import { testVault } from '../test-vault.ts';

const database = useTestDatabase(startSqlite);
const lease = { owner: 'one', untilMs: 10_000 };
const renewed = { confirmedState: toConfirmedState({ fingerprint: 'new' }), expiresMs: 9_000 };

const stored = async () => undefined;

/** Stores runs that wait until 5,000, and returns what can be done with their approvals. */
async function startRuns(...ids: readonly string[]) {
  const runs = createRunStore(database.db, testVault);
  for (const id of ids) {
    const waiting = { status: 'waiting', queuedMs: null, settledMs: null, expiresMs: 5_000 } as const;
    await runs.claim(createRun({ id, ...waiting }), id, lease);
  }
  const find = async (id: string): Promise<Run> => {
    const run = await runs.find(id);
    if (!run) throw new Error(`no run ${id}`);
    return run;
  };
  const request = async (id: string, fingerprint = 'old', nowMs = 1_000) =>
    runs.awaitApproval(
      await find(id),
      {
        confirmedState: toConfirmedState({ fingerprint }),
        expiresMs: 5_000,
        askId: `ask ${id}`,
        isShown: true,
      },
      async () => undefined,
      nowMs,
    );
  return { runs, find, request };
}

test('an approval is bound to a new state only once, in time, and while it is awaited', async () => {
  const { runs, find, request } = await startRuns('a', 'b', 'c');
  expect(await request('a', 'old', 5_000)).toBe(false);
  await request('a');
  await request('b');
  const [a, b, c] = [await find('a'), await find('b'), await find('c')];
  expect(await runs.renewApproval(a, renewed, 5_000, stored)).toBe(false);
  expect(await runs.renewApproval(c, renewed, 1_000, stored)).toBe(false);
  await database.db.updateTable('run').set({ status: 'queued' }).where('id', '=', 'b').execute();
  expect(await runs.renewApproval(b, renewed, 1_000, stored)).toBe(false);
  expect(await runs.renewApproval(a, renewed, 1_000, stored)).toBe(true);
  expect(await runs.renewApproval(a, renewed, 1_000, stored)).toBe(false);
  expect(await find('a')).toMatchObject(renewed);
  expect(await find('b')).toMatchObject({
    confirmedState: toConfirmedState({ fingerprint: 'old' }),
    expiresMs: 5_000,
  });
  expect(await find('c')).toMatchObject({ confirmedState: { kind: 'unconfirmed' }, expiresMs: 5_000 });
});
