import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { loadInstanceSecret } from '../../../src/db/encryption/instance-secret.ts';
import { createVault } from '../../../src/db/encryption/vault.ts';
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
