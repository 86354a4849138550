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
