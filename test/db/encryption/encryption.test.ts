import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { assertDecryptable } from '../../../src/db/encryption/assert-decryptable.ts';
import { encryptedColumns } from '../../../src/db/encryption/encrypted-columns.ts';
import { rekey } from '../../../src/db/encryption/rekey.ts';
import { createVault } from '../../../src/db/encryption/vault.ts';
import { openDatabase } from '../../../src/db/engines/database.ts';
import { createApiKeyStore } from '../../../src/workspaces/api-key/api-key-store.ts';
import { childEnvironment } from '../../child-environment.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { startSqlite } from '../test-database.ts';
import { describeEncryption } from './encryption-suite.ts';

describeEncryption('SQLite', startSqlite);

test('a rekey covers more rows than fit on one page', async () => {
  const { db, close } = await openDatabase('sqlite::memory:');
  const [first, second] = [randomBytes(32), randomBytes(32)];
  const keys = createApiKeyStore(db, createVault([first]));
  const teams = Array.from({ length: 501 }, (_, index) => `T${index}`);
  for (const teamId of teams) await keys.save(teamId, { apiKey: teamId, fingerprint: teamId, limit: 50 }, 1);
  const results = await rekey(db, createVault([second, first]));
  expect(results.reduce((sum, { reencrypted }) => sum + reencrypted, 0)).toBe(teams.length);
  await assertDecryptable(db, createVault([second]));
  await close();
});

test('every column that holds lasting secrets is listed in encryptedColumns', async () => {
  const { db, close } = await openDatabase('sqlite::memory:');
  const { rows } = await sql<{ table: string; column: string }>`
    select tables.name as "table", columns.name as "column"
    from sqlite_master as tables, pragma_table_info(tables.name) as columns
    where tables.type = 'table' and columns.name like '%jwe%'`.execute(db);
  const known = encryptedColumns.map(({ table, column }) => `${table}.${column}`);
  const shortLived = 'run.response_url_jwe';
  expect(rows.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(
    [...known, shortLived].toSorted(),
  );
  await close();
});

describe('npm run rekey', () => {
  const run = (env: Record<string, string>) =>
    spawnSync(process.execPath, ['scripts/rekey.ts'], {
      encoding: 'utf8',
      env: { ...childEnvironment, ...env },
    });

  test("prints counts without secrets, and leaves secrets that it can't decrypt", async () => {
    const directory = makeScratchDirectory('rekey');
    const DATABASE_URL = `sqlite:${join(directory, 'rackhand.db')}`;
    const [first, second] = [randomBytes(32), randomBytes(32)];
    const asText = (...keys: Buffer[]) => keys.map((key) => key.toString('base64')).join(',');
    const database = await openDatabase(DATABASE_URL);
    const keys = createApiKeyStore(database.db, createVault([first]));
    await keys.save('T1', { apiKey: 'very-secret', fingerprint: 'f', limit: 50 }, 1);
    await database.close();

    const lost = run({ DATABASE_URL, ENCRYPTION_KEYS: asText(second) });
    expect(lost.status).toBe(1);
    expect(lost.stdout).toContain('API keys: 0 encrypted with the first key, 1 unreadable');
    const { status, stdout, stderr } = run({ DATABASE_URL, ENCRYPTION_KEYS: asText(second, first) });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('API keys: 1 encrypted with the first key, 0 unreadable');
    for (const secret of ['very-secret', asText(first), asText(second)]) {
      expect(stdout + lost.stdout + lost.stderr).not.toContain(secret);
    }
    const again = await openDatabase(DATABASE_URL);
    await assertDecryptable(again.db, createVault([second]));
    await again.close();
    rmSync(directory, { recursive: true });
  });

  test('names the missing settings, and needs no others', () => {
    const { status, stderr } = run({});
    expect(status).toBe(1);
    expect(stderr).toContain('ENCRYPTION_KEYS is missing');
    expect(stderr).not.toContain('SLACK');
  });
});
