import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { loadInstanceSecret } from '../../src/db/encryption/instance-secret.ts';
import { createVault } from '../../src/db/encryption/vault.ts';
import { createApiKeyStore } from '../../src/workspaces/api-key/api-key-store.ts';
import { createInstallationStore } from '../../src/workspaces/installation-store.ts';
import { describeRunStore } from './run-store-suite.ts';
import { type StartDatabase, useTestDatabase } from './test-database.ts';

/** Tests of the stores that are the same for every database. */
export function describeDatabase(name: string, start: StartDatabase): void {
  describe(`storage in ${name}`, () => {
    const database = useTestDatabase(start);
    const vault = createVault([randomBytes(32)]);

    describeRunStore(database, vault);

    test('tokens and keys are stored only encrypted, and are read back', async () => {
      const installations = createInstallationStore(database.db, vault);
      const keys = createApiKeyStore(database.db, vault);
      const installation = {
        teamId: 'T1',
        teamName: 'Acme',
        enterpriseId: null,
        botToken: 'xoxb-very-secret',
        botId: 'B1',
        botUserId: 'U1',
      };
      const key = { apiKey: 'api-very-secret', fingerprint: 'f', limit: 50 };
      for (const nowMs of [1, 2]) {
        await installations.save(installation, nowMs);
        await keys.save('T1', key, nowMs);
      }
      const rows = [
        ...(await database.db.selectFrom('installation').selectAll().execute()),
        ...(await database.db.selectFrom('api_key').selectAll().execute()),
      ];
      expect(rows).toHaveLength(2);
      expect(JSON.stringify(rows)).not.toContain('very-secret');
      expect(await createInstallationStore(database.db, vault).find('T1')).toEqual(installation);
      expect(await keys.find('T1')).toEqual(key);
      expect(await keys.find('T2')).toBeUndefined();
    });

    test('a secret copied into the row of another workspace is rejected', async () => {
      const keys = createApiKeyStore(database.db, vault);
      await keys.save('T1', { apiKey: 'one', fingerprint: 'f1', limit: 50 }, 1);
      await keys.save('T2', { apiKey: 'two', fingerprint: 'f2', limit: 50 }, 1);
      const { api_key_jwe } = await database.db
        .selectFrom('api_key')
        .selectAll()
        .where('team_id', '=', 'T1')
        .executeTakeFirstOrThrow();
      await database.db.updateTable('api_key').set({ api_key_jwe }).where('team_id', '=', 'T2').execute();
      await expect(keys.find('T2')).rejects.toMatchObject({ code: 'secret_unreadable' });
    });

    test('an instance secret is generated once, even by several processes at the same time', async () => {
      const secrets = await Promise.all(
        Array.from({ length: 10 }, () => loadInstanceSecret(database.db, vault, 'fingerprint')),
      );
      expect(new Set(secrets).size).toBe(1);
      expect(await loadInstanceSecret(database.db, vault, 'another')).not.toBe(secrets[0]);
    });
  });
}
