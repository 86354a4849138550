import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { assertDecryptable } from '../../../src/db/encryption/assert-decryptable.ts';
import { loadInstanceSecret } from '../../../src/db/encryption/instance-secret.ts';
import { createVault } from '../../../src/db/encryption/vault.ts';
import { createApiKeyStore } from '../../../src/workspaces/api-key/api-key-store.ts';
import { startSqlite, useTestDatabase } from '../test-database.ts';

const database = useTestDatabase(startSqlite);
const vault = createVault([randomBytes(32)]);

test('an instance secret has 32 random bytes, is another one for each name, and stays', async () => {
  const load = (name: string) => loadInstanceSecret(database.db, vault, name);
  const [one, other] = [await load('one'), await load('other')];
  expect(Buffer.from(one, 'base64url')).toHaveLength(32);
  expect(other).not.toBe(one);
  expect([await load('one'), await load('other')]).toEqual([one, other]);
});

test.each([
  [5, 'T1, T2, T3, T4, T5'],
  [6, 'T1, T2, T3, T4, T5, and 1 more'],
])('%i API keys without their key are named: %s', async (count, names) => {
  for (let index = 1; index <= count; index += 1) {
    const key = { apiKey: 'key', fingerprint: `T${index}`, limit: 50 };
    await createApiKeyStore(database.db, vault).save(`T${index}`, key, 1);
  }
  const message = expect.stringContaining(`${count} API keys (${names})`);
  await expect(assertDecryptable(database.db, createVault([randomBytes(32)]))).rejects.toMatchObject({
    message,
  });
});
