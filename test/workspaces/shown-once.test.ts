import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SecretKeeper } from '../../src/operations/runs/secret-keeper.ts';
import { type OpenDatabase, openDatabase } from '../../src/storage/database.ts';
import { createVault } from '../../src/storage/vault.ts';
import { createShownOnce } from '../../src/workspaces/shown-once.ts';

const asker = { teamId: 'T', userId: 'U' };
const secrets = [{ label: 'Root password', value: 'correct horse' }];
let database: OpenDatabase;
let keeper: SecretKeeper;
let nowMs: number;

beforeEach(async () => {
  nowMs = 1_000;
  database = await openDatabase('sqlite::memory:');
  keeper = createShownOnce(database.db, createVault([new Uint8Array(32)]), () => nowMs);
});
afterEach(() => database.close());

const rows = () => database.db.selectFrom('secret').selectAll().execute();

test('a secret is given once, to its asker, and is gone', async () => {
  const { id, labels } = await keeper.keep(secrets, { runId: 'run', asker });
  expect(labels).toEqual(['Root password']);
  expect(JSON.stringify(await rows())).not.toContain('horse');
  expect(await keeper.take(id, { ...asker, userId: 'other' })).toBeUndefined();
  expect(await keeper.take(id, { ...asker, teamId: 'other' })).toBeUndefined();
  expect(await keeper.take(id, asker)).toMatchObject({ secrets, runId: 'run' });
  expect(await keeper.take(id, asker)).toBeUndefined();
  expect(await rows()).toEqual([]);
});

test('of two presses at once one has it', async () => {
  const { id } = await keeper.keep(secrets, { runId: 'run', asker });
  const taken = await Promise.all([keeper.take(id, asker), keeper.take(id, asker)]);
  expect(taken.filter(Boolean)).toHaveLength(1);
});

test('what could not be shown is kept again, and no longer than before', async () => {
  const { id, untilMs } = await keeper.keep(secrets, { runId: 'run', asker });
  await (await keeper.take(id, asker))?.putBack();
  expect(await rows()).toMatchObject([{ expires_at: untilMs }]);
  expect(await keeper.take(id, asker)).toMatchObject({ secrets });
});

test('after 15 minutes nobody has it, and the row goes', async () => {
  const { id } = await keeper.keep(secrets, { runId: 'run', asker });
  nowMs += 15 * 60_000;
  expect(await keeper.take(id, asker)).toBeUndefined();
  await keeper.forgetExpired();
  expect(await rows()).toEqual([]);
});
