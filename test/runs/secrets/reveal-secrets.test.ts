import { expect, test } from 'vitest';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import { createOneTimeSecretStore } from '../../../src/runs/secrets/one-time-secret-store.ts';
import { createRevealSecrets } from '../../../src/runs/secrets/reveal-secrets.ts';
import { createRunStore } from '../../../src/runs/store/run-store.ts';
import { startSqlite, useTestDatabase } from '../../db/test-database.ts';
import { testVault } from '../test-vault.ts';

const database = useTestDatabase(startSqlite);
const by = { actor: { teamId: 'T', userId: 'U' }, origin: {} };

/** Creates a process that shows secrets. It checks the right by `check`. */
function createProcess(check: () => Promise<void>) {
  return createRevealSecrets({
    secrets: createOneTimeSecretStore(database.db, testVault),
    runs: createRunStore(database.db, testVault),
    catalogue: hostingOperations(),
    async resolveAccess() {
      await check();
      return () => undefined;
    },
    checkApproval: async () => undefined,
  });
}

test('an attempt to see the secret of somebody else shows nothing, and is an entry', async () => {
  const store = createOneTimeSecretStore(database.db, testVault);
  const { id } = await store.save([{ label: 'Root password', value: 'correct horse' }], {
    runId: 'run',
    actor: by.actor,
  });
  const other = { actor: { teamId: 'T', userId: 'U2' }, origin: {} };
  expect(await createProcess(async () => {})(id, other)).toEqual({ kind: 'others', ownerId: 'U' });
  const entries = await database.db.selectFrom('run').selectAll().where('user_id', '=', 'U2').execute();
  expect(entries).toEqual([expect.objectContaining({ operation: 'reveal', status: 'refused' })]);
  expect(JSON.stringify(entries)).not.toContain('correct horse');
});

test('a secret is still there after a crash during the check of the right to see it', async () => {
  const secrets = [{ label: 'Root password', value: 'correct horse' }];
  const store = createOneTimeSecretStore(database.db, testVault);
  const { id } = await store.save(secrets, { runId: 'run', actor: by.actor });
  const fail = () => Promise.reject(new Error('Slack is away'));
  await expect(createProcess(fail)(id, by)).rejects.toThrow('Slack is away');
  void createProcess(() => new Promise(() => {}))(id, by);
  const reveal = createProcess(async () => {});
  const both = await Promise.all([reveal(id, by), reveal(id, by)]);
  expect(both.map(({ kind }) => kind).toSorted()).toEqual(['gone', 'revealed']);
});
