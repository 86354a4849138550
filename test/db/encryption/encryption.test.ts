import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { assertDecryptable } from '../../../src/db/encryption/assert-decryptable.ts';
import { encryptedColumns } from '../../../src/db/encryption/encrypted-columns.ts';
import { loadInstanceSecret } from '../../../src/db/encryption/instance-secret.ts';
import { rekey } from '../../../src/db/encryption/rekey.ts';
import { createVault, type Vault } from '../../../src/db/encryption/vault.ts';
import { openDatabase } from '../../../src/db/engines/database.ts';
import { createOneTimeSecretStore } from '../../../src/runs/secrets/one-time-secret-store.ts';
import { createRunStore } from '../../../src/runs/store/run-store.ts';
import { createApiKeyStore } from '../../../src/workspaces/api-key/api-key-store.ts';
import { createInstallationStore } from '../../../src/workspaces/installation-store.ts';
import { childEnvironment } from '../../child-environment.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { databases, useTestDatabase } from '../test-database.ts';

const dayMs = 24 * 60 * 60_000;

describe.each(databases)('keys in $name', ({ start }) => {
  const database = useTestDatabase(start);
  const [first, second] = [randomBytes(32), randomBytes(32)];
  const before = createVault([first]);
  const both = createVault([second, first]);
  const after = createVault([second]);

  const installation = (teamId: string) => ({
    teamId,
    teamName: 'Acme',
    enterpriseId: null,
    botToken: `xoxb-${teamId}`,
    botId: 'B1',
    botUserId: 'U1',
  });
  const actor = { teamId: 'T1', userId: 'U1' };

  /** Fills every table that contains secrets. Returns a function that reads all of them. */
  async function fill(vault: Vault) {
    await createInstallationStore(database.db, vault).save(installation('T1'), 1);
    for (const teamId of ['T1', 'T2', 'T3']) {
      const key = { apiKey: `key of ${teamId}`, fingerprint: teamId, limit: 50 };
      await createApiKeyStore(database.db, vault).save(teamId, key, 1);
    }
    const own = await loadInstanceSecret(database.db, vault, 'key-fingerprint');
    const secrets = [{ label: 'Password', value: 'pass' }];
    const saved = await createOneTimeSecretStore(database.db, vault).save(secrets, { runId: 'r', actor });
    return async (reading: Vault) => {
      expect(await createInstallationStore(database.db, reading).find('T1')).toEqual(installation('T1'));
      const keys = createApiKeyStore(database.db, reading);
      expect(await Promise.all(['T1', 'T2', 'T3'].map((teamId) => keys.find(teamId)))).toMatchObject([
        { apiKey: 'key of T1' },
        { apiKey: 'key of T2' },
        { apiKey: 'key of T3' },
      ]);
      expect(await loadInstanceSecret(database.db, reading, 'key-fingerprint')).toBe(own);
      expect((await createOneTimeSecretStore(database.db, reading).reveal(saved.id, actor))?.secrets).toEqual(
        secrets,
      );
    };
  }

  /** Returns the rows of every table that contains secrets. */
  const listRows = () =>
    Promise.all(encryptedColumns.map(({ table }) => database.db.selectFrom(table).selectAll().execute()));

  test('secrets are stored only encrypted, and are read back', async () => {
    const readAll = await fill(before);
    expect(JSON.stringify(await listRows())).not.toMatch(/xoxb-|key of|"pass"/);
    await readAll(before);
    expect(await createApiKeyStore(database.db, before).find('T9')).toBeUndefined();
  });

  test('an instance secret has 32 random bytes, which several processes generate once', async () => {
    const load = (name: string) => loadInstanceSecret(database.db, before, name);
    const [one = '', ...others] = await Promise.all(Array.from({ length: 10 }, () => load('one')));
    expect(new Set([one, ...others]).size).toBe(1);
    expect(Buffer.from(one, 'base64url')).toHaveLength(32);
    expect(await load('other')).not.toBe(one);
    expect(await load('one')).toBe(one);
  });

  const sumOf = (results: Awaited<ReturnType<typeof rekey>>) =>
    results.reduce(
      (sum, { reencrypted, unreadable, outdated }) => ({
        reencrypted: sum.reencrypted + reencrypted,
        unreadable: sum.unreadable + unreadable,
        outdated: sum.outdated + outdated,
      }),
      { reencrypted: 0, unreadable: 0, outdated: 0 },
    );

  describe('a rekey', () => {
    test('encrypts everything with the first key, and nothing twice', async () => {
      const readAll = await fill(before);
      expect(sumOf(await rekey(database.db, both))).toEqual({ reencrypted: 6, unreadable: 0, outdated: 0 });
      expect(sumOf(await rekey(database.db, both))).toEqual({ reencrypted: 0, unreadable: 0, outdated: 0 });
      await assertDecryptable(database.db, after);
      await readAll(after);
    });

    test("leaves secrets that it can't decrypt, or that were swapped between rows", async () => {
      await fill(before);
      const { db } = database;
      const row = (teamId: string) => db.selectFrom('api_key').selectAll().where('team_id', '=', teamId);
      const { api_key_jwe } = await row('T1').executeTakeFirstOrThrow();
      const swap = { T2: api_key_jwe, T3: 'no jwe at all' };
      for (const [teamId, jwe] of Object.entries(swap)) {
        await db.updateTable('api_key').set({ api_key_jwe: jwe }).where('team_id', '=', teamId).execute();
      }
      expect(sumOf(await rekey(db, both))).toEqual({ reencrypted: 4, unreadable: 2, outdated: 0 });
      for (const [teamId, jwe] of Object.entries(swap)) {
        expect((await row(teamId).executeTakeFirstOrThrow()).api_key_jwe).toBe(jwe);
      }
    });

    test("secrets can't be swapped between workspaces, nor between purposes", async () => {
      await fill(before);
      const { db } = database;
      const { bot_token_jwe } = await db.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
      const keyOfT1 = db.selectFrom('api_key').selectAll().where('team_id', '=', 'T1');
      const { api_key_jwe } = await keyOfT1.executeTakeFirstOrThrow();
      await db
        .updateTable('api_key')
        .set({ api_key_jwe: bot_token_jwe })
        .where('team_id', '=', 'T1')
        .execute();
      await db.updateTable('api_key').set({ api_key_jwe }).where('team_id', '=', 'T2').execute();
      await db.updateTable('installation').set({ bot_token_jwe: api_key_jwe }).execute();
      const unreadable = { code: 'secret_unreadable' };
      for (const teamId of ['T1', 'T2'])
        await expect(createApiKeyStore(db, before).find(teamId)).rejects.toMatchObject(unreadable);
      await expect(createInstallationStore(db, before).find('T1')).rejects.toMatchObject(unreadable);
    });

    test('continues where it was interrupted', async () => {
      const readAll = await fill(before);
      let count = 0;
      const failing: Vault = {
        ...both,
        async encrypt(secret, use) {
          count += 1;
          if (count > 3) throw new Error('the process is killed here');
          return both.encrypt(secret, use);
        },
      };
      await expect(rekey(database.db, failing)).rejects.toThrow('killed here');
      await assertDecryptable(database.db, both);
      expect(sumOf(await rekey(database.db, both))).toEqual({ reencrypted: 3, unreadable: 0, outdated: 0 });
      await readAll(after);
    });

    test('loses no secret that others read and write in the meantime, whichever key they use first', async () => {
      const teams = Array.from({ length: 12 }, (_, index) => `T${index}`);
      const written = new Map<string, string>();
      const replicas = [createVault([first, second]), both].map((vault) =>
        createApiKeyStore(database.db, vault),
      );
      const storeOf = (index: number) => replicas[index % 2] ?? createApiKeyStore(database.db, both);
      const save = async (teamId: string, index: number, round: number) => {
        const apiKey = `${teamId} in round ${round}`;
        await storeOf(index).save(teamId, { apiKey, fingerprint: apiKey, limit: 50 }, round);
        written.set(teamId, apiKey);
      };
      await Promise.all(teams.map((teamId, index) => save(teamId, index, 0)));
      let isOver = false;
      const writing = (async () => {
        for (let round = 1; !isOver; round += 1) {
          await Promise.all(
            teams.map(async (teamId, index) => {
              await save(teamId, index, round);
              expect((await storeOf(index + 1).find(teamId))?.apiKey).toBe(written.get(teamId));
            }),
          );
        }
      })();
      for (let count = 0; count < 3; count += 1) await rekey(database.db, both);
      isOver = true;
      await writing;
      expect(sumOf(await rekey(database.db, both))).toMatchObject({ unreadable: 0, outdated: 0 });
      await assertDecryptable(database.db, after);
      const fresh = createApiKeyStore(database.db, after);
      for (const teamId of teams) expect((await fresh.find(teamId))?.apiKey).toBe(written.get(teamId));
    });
  });

  describe('the check at start', () => {
    test('passes for an empty database and for a decryptable one', async () => {
      await assertDecryptable(database.db, after);
      await fill(before);
      await assertDecryptable(database.db, both);
    });

    test("counts and names the secrets that can't be decrypted, and changes nothing", async () => {
      await fill(before);
      const unchanged = await listRows();
      await expect(assertDecryptable(database.db, after)).rejects.toMatchObject({
        code: 'secret_unreadable',
        message: expect.stringMatching(
          /1 Slack token \(T1\), 3 API keys \(T1, T2, T3\), 1 instance secret \(key-fingerprint\), 1 one-time secret/,
        ),
      });
      expect(await listRows()).toEqual(unchanged);
    });

    test('ignores expired secrets', async () => {
      const { id } = await createOneTimeSecretStore(database.db, before, () => 0).save([], {
        runId: 'r',
        actor,
      });
      expect(id).toBeTruthy();
      await assertDecryptable(database.db, after);
    });
  });

  describe("a workspace's API key", () => {
    const keys = () => createApiKeyStore(database.db, before);
    const key = (apiKey: string, limit = 50) => ({ apiKey, fingerprint: `f-${apiKey}`, limit });

    test('keeps its age when saved again, also with another quota', async () => {
      expect(await keys().save('T1', key('a'), 10, 'U1')).toBe(true);
      expect(await keys().save('T1', key('a'), 20, 'U2')).toBe(false);
      expect(await keys().save('T1', key('a', 70), 30, 'U3')).toBe(true);
      expect(await keys().describe('T1')).toMatchObject({ limit: 70, connectedMs: 10, connectedBy: 'U1' });
      expect(await keys().save('T1', key('b'), 40, 'U4')).toBe(true);
      expect(await keys().describe('T1')).toMatchObject({ limit: 50, connectedMs: 40, connectedBy: 'U4' });
      expect((await keys().find('T1'))?.apiKey).toBe('b');
    });

    test('is replaced once when it is saved several times at the same time', async () => {
      await keys().save('T1', key('a'), 10, 'U1');
      const saved = await Promise.all(
        Array.from({ length: 10 }, () => keys().save('T1', key('b'), 20, 'U1')),
      );
      expect(saved.filter(Boolean)).toHaveLength(1);
    });

    test('is removed once, and not found afterwards', async () => {
      const store = keys();
      await store.save('T1', key('a'), 10, 'U1');
      await store.find('T1');
      expect((await Promise.all([store.remove('T1'), store.remove('T1')])).filter(Boolean)).toHaveLength(1);
      expect(await store.find('T1')).toBeUndefined();
      expect(await store.describe('T1')).toBeUndefined();
    });

    test('is claimed for a reminder by one of several replicas', async () => {
      await keys().save('T1', key('a'), 10, 'U1');
      const [old] = await keys().listOlderThan(10);
      if (!old) throw new Error('the key is old enough');
      expect(await keys().listOlderThan(9)).toEqual([]);
      const claims = () =>
        Promise.all(Array.from({ length: 10 }, () => keys().claimReminder(old, dayMs, database.db)));
      expect((await claims()).filter(Boolean)).toHaveLength(1);
      expect((await claims()).filter(Boolean)).toHaveLength(0);
      expect(await keys().claimReminder({ ...old, remindedMs: dayMs }, 2 * dayMs, database.db)).toBe(true);
      await keys().save('T1', key('b'), 20, 'U1');
      expect(await keys().describe('T1')).toMatchObject({ remindedMs: null });
    });
  });

  test('an audit entry without a run is stored as a settled run', async () => {
    const runs = createRunStore(database.db, before);
    const entry = { actor, operation: 'connect', target: 'API key', nowMs: 7 } as const;
    await runs.addAuditEntry({
      ...entry,
      status: 'done',
      outcome: { title: 'Connected' },
      origin: { channel: 'C1' },
    });
    const problem = { code: 'not_permitted', message: 'No.', changed: 'Nothing.', advice: 'Ask.' } as const;
    await runs.addAuditEntry({ ...entry, status: 'refused', problem });
    const rows = await database.db.selectFrom('run').select('id').orderBy('status').execute();
    expect(await Promise.all(rows.map(({ id }) => runs.find(id)))).toMatchObject([
      {
        status: 'done',
        settledMs: 7,
        requestedMs: 7,
        origin: { channel: 'C1' },
        result: { kind: 'outcome', outcome: { title: 'Connected' } },
      },
      { status: 'refused', origin: {}, result: { kind: 'problem', problem } },
    ]);
    expect(await runs.expireOverdue({ kind: 'problem', problem }, dayMs)).toEqual([]);
    expect(await runs.adopt({ owner: 'o', untilMs: dayMs }, dayMs)).toEqual([]);
  });

  test('an encrypted secret can be decrypted only with its key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (secret) => {
        const use = { purpose: 'api-key', owner: 'T1' } as const;
        const jwe = await before.encrypt(secret, use);
        expect([before.matchKey(jwe), both.matchKey(jwe), after.matchKey(jwe)]).toEqual([
          'primary',
          'secondary',
          'unknown',
        ]);
        expect(await both.decrypt(jwe, use)).toBe(secret);
      }),
      { numRuns: 30 },
    );
  });
});

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

test('npm run rekey prints counts without secrets, and exits with 1 if some cannot be decrypted', async () => {
  const directory = makeScratchDirectory('rekey');
  const DATABASE_URL = `sqlite:${join(directory, 'rackhand.db')}`;
  const [first, second, lost] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const ENCRYPTION_KEYS = [second, first].map((key) => key.toString('base64')).join(',');
  const database = await openDatabase(DATABASE_URL);
  for (const [teamId, key] of [
    ['T1', first],
    ['T2', lost],
  ] as const) {
    const given = { apiKey: 'very-secret', fingerprint: teamId, limit: 50 };
    await createApiKeyStore(database.db, createVault([key])).save(teamId, given, 1);
  }
  await database.close();
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/rekey.ts'], {
    encoding: 'utf8',
    env: { ...childEnvironment, DATABASE_URL, ENCRYPTION_KEYS },
  });
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  expect(stdout).toContain('API keys: 1 encrypted with the first key, 1 unreadable');
  for (const secret of ['very-secret', ...ENCRYPTION_KEYS.split(',')]) expect(stdout).not.toContain(secret);
});
