import { afterEach, beforeEach, expect, test } from 'vitest';
import { createVault } from '../../../src/db/encryption/vault.ts';
import { type OpenDatabase, openDatabase } from '../../../src/db/engines/database.ts';
import { createOneTimeSecretStore } from '../../../src/runs/secrets/one-time-secret-store.ts';
import type { SecretStore } from '../../../src/runs/secrets/secret-store.ts';

const actor = { teamId: 'T', userId: 'U' };
const secrets = [{ label: 'Root password', value: 'correct horse' }];
let database: OpenDatabase;
let store: SecretStore;
let nowMs: number;

beforeEach(async () => {
  nowMs = 1_000;
  database = await openDatabase('sqlite::memory:');
  store = createOneTimeSecretStore(database.db, createVault([new Uint8Array(32)]), () => nowMs);
});
afterEach(() => database.close());

const rows = () => database.db.selectFrom('one_time_secret').selectAll().execute();

test('a secret is revealed once, to its actor only', async () => {
  const { id, labels } = await store.save(secrets, { runId: 'run', actor });
  expect(labels).toEqual(['Root password']);
  expect(JSON.stringify(await rows())).not.toContain('horse');
  expect(await store.reveal(id, { ...actor, userId: 'other' })).toBeUndefined();
  expect(await store.reveal(id, { ...actor, teamId: 'other' })).toBeUndefined();
  expect(await store.find(id, { ...actor, userId: 'other' })).toBeUndefined();
  expect(await store.find(id, actor)).toMatchObject({ labels: ['Root password'], runId: 'run' });
  expect(await store.reveal(id, actor)).toMatchObject({ secrets });
  expect(await store.find(id, actor)).toBeUndefined();
  expect(await store.reveal(id, actor)).toBeUndefined();
  expect(await rows()).toEqual([]);
});

test('a secret is bound to its workspace and person: a row that was moved to another one cannot be read', async () => {
  for (const change of [{ user_id: 'mallory' }, { team_id: 'other' }]) {
    const { id } = await store.save(secrets, { runId: 'run', actor });
    await database.db.updateTable('one_time_secret').set(change).where('id', '=', id).execute();
    const thief = { teamId: change.team_id ?? actor.teamId, userId: change.user_id ?? actor.userId };
    await expect(store.reveal(id, thief)).rejects.toMatchObject({ code: 'secret_unreadable' });
  }
});

test('one of two simultaneous reveals gets the secret', async () => {
  const { id } = await store.save(secrets, { runId: 'run', actor });
  const taken = await Promise.all([store.reveal(id, actor), store.reveal(id, actor)]);
  expect(taken.filter(Boolean)).toHaveLength(1);
});

test('a secret that could not be shown is restored with the same expiry', async () => {
  const { id, expiresMs } = await store.save(secrets, { runId: 'run', actor });
  await (await store.reveal(id, actor))?.restore();
  expect(await rows()).toMatchObject([{ expires_at: expiresMs }]);
  expect(await store.reveal(id, actor)).toMatchObject({ secrets });
});

test('a secret expires after 15 minutes, and its row is deleted', async () => {
  const { id } = await store.save(secrets, { runId: 'run', actor });
  nowMs += 15 * 60_000;
  expect(await store.reveal(id, actor)).toBeUndefined();
  await store.deleteExpired();
  expect(await rows()).toEqual([]);
});
