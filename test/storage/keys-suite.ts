import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRunStore } from '../../src/operations/runs/run-store.ts';
import { requireReadable } from '../../src/storage/readable.ts';
import { rekey } from '../../src/storage/rekey.ts';
import { sealedColumns } from '../../src/storage/sealed-columns.ts';
import { createVault, type Vault } from '../../src/storage/vault.ts';
import { createApiKeyStore } from '../../src/workspaces/api-key-store.ts';
import { createInstallationStore } from '../../src/workspaces/installation-store.ts';
import { ownSecret } from '../../src/workspaces/own-secret.ts';
import { createShownOnce } from '../../src/workspaces/shown-once.ts';
import { type StartDatabase, stageDatabase } from './stage-database.ts';

const dayMs = 24 * 60 * 60_000;

/** What every database must do alike with API keys, and with the keys that encrypt. */
export function describeKeys(name: string, start: StartDatabase): void {
  describe(`keys in ${name}`, () => {
    const database = stageDatabase(start);
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
    const asker = { teamId: 'T1', userId: 'U1' };

    /** Fills every table that holds secrets, and gives what reads all of it again. */
    async function fill(vault: Vault) {
      await createInstallationStore(database.db, vault).save(installation('T1'), 1);
      for (const teamId of ['T1', 'T2', 'T3']) {
        const key = { apiKey: `key of ${teamId}`, fingerprint: teamId, limit: 50 };
        await createApiKeyStore(database.db, vault).save(teamId, key, 1);
      }
      const own = await ownSecret(database.db, vault, 'key-fingerprint');
      const secrets = [{ label: 'Password', value: 'pass' }];
      const kept = await createShownOnce(database.db, vault).keep(secrets, { runId: 'r', asker });
      return async (reading: Vault) => {
        expect(await createInstallationStore(database.db, reading).find('T1')).toEqual(installation('T1'));
        const keys = createApiKeyStore(database.db, reading);
        expect(await Promise.all(['T1', 'T2', 'T3'].map((teamId) => keys.find(teamId)))).toMatchObject([
          { apiKey: 'key of T1' },
          { apiKey: 'key of T2' },
          { apiKey: 'key of T3' },
        ]);
        expect(await ownSecret(database.db, reading, 'key-fingerprint')).toBe(own);
        expect((await createShownOnce(database.db, reading).take(kept.id, asker))?.secrets).toEqual(secrets);
      };
    }

    const sumOf = (results: Awaited<ReturnType<typeof rekey>>) =>
      results.reduce(
        (sum, { renewed, unreadable, left }) => ({
          renewed: sum.renewed + renewed,
          unreadable: sum.unreadable + unreadable,
          left: sum.left + left,
        }),
        { renewed: 0, unreadable: 0, left: 0 },
      );

    describe('a rekey', () => {
      test('encrypts everything with the first key, and nothing again', async () => {
        const readAll = await fill(before);
        expect(sumOf(await rekey(database.db, both))).toEqual({ renewed: 6, unreadable: 0, left: 0 });
        expect(sumOf(await rekey(database.db, both))).toEqual({ renewed: 0, unreadable: 0, left: 0 });
        await requireReadable(database.db, after);
        await readAll(after);
      });

      test('leaves what it cannot read, or what was put into the row of another, as it is', async () => {
        await fill(before);
        const { db } = database;
        const row = (teamId: string) => db.selectFrom('api_key').selectAll().where('team_id', '=', teamId);
        const { api_key_jwe } = await row('T1').executeTakeFirstOrThrow();
        const swap = { T2: api_key_jwe, T3: 'no jwe at all' };
        for (const [teamId, jwe] of Object.entries(swap)) {
          await db.updateTable('api_key').set({ api_key_jwe: jwe }).where('team_id', '=', teamId).execute();
        }
        expect(sumOf(await rekey(db, both))).toEqual({ renewed: 4, unreadable: 2, left: 0 });
        for (const [teamId, jwe] of Object.entries(swap)) {
          expect((await row(teamId).executeTakeFirstOrThrow()).api_key_jwe).toBe(jwe);
        }
      });

      test('that is stopped half-way goes on the next time', async () => {
        const readAll = await fill(before);
        let count = 0;
        const failing: Vault = {
          ...both,
          async seal(secret, use) {
            count += 1;
            if (count > 3) throw new Error('the process is killed here');
            return both.seal(secret, use);
          },
        };
        await expect(rekey(database.db, failing)).rejects.toThrow('killed here');
        await requireReadable(database.db, both);
        expect(sumOf(await rekey(database.db, both))).toEqual({ renewed: 3, unreadable: 0, left: 0 });
        await readAll(after);
      });

      test('goes through more rows than one page', async () => {
        const keys = createApiKeyStore(database.db, before);
        const teams = Array.from({ length: 1_203 }, (_, index) => `T${index}`);
        for (const teamId of teams) {
          await keys.save(teamId, { apiKey: teamId, fingerprint: teamId, limit: 50 }, 1);
        }
        expect(sumOf(await rekey(database.db, both))).toMatchObject({ renewed: teams.length, left: 0 });
        await requireReadable(database.db, after);
      });

      test('loses nothing of what others write and read meanwhile, with either key first', async () => {
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
        expect(sumOf(await rekey(database.db, both))).toMatchObject({ unreadable: 0, left: 0 });
        await requireReadable(database.db, after);
        const fresh = createApiKeyStore(database.db, after);
        for (const teamId of teams) expect((await fresh.find(teamId))?.apiKey).toBe(written.get(teamId));
      });
    });

    describe('the look at the start', () => {
      test('passes over a database in which there is nothing, and one that can be read', async () => {
        await requireReadable(database.db, after);
        await fill(before);
        await requireReadable(database.db, both);
      });

      test('says how much of what cannot be read, and whose it is, and changes nothing', async () => {
        await fill(before);
        const rows = () =>
          Promise.all(sealedColumns.map(({ table }) => database.db.selectFrom(table).selectAll().execute()));
        const kept = await rows();
        await expect(requireReadable(database.db, after)).rejects.toMatchObject({
          code: 'secret_unreadable',
          message: expect.stringMatching(
            /1 Slack token \(T1\), 3 API keys \(T1, T2, T3\), 1 secret of Rackhand's own \(key-fingerprint\), 1 secret to be shown once/,
          ),
        });
        expect(await rows()).toEqual(kept);
      });

      test('does not mind what has expired', async () => {
        const { id } = await createShownOnce(database.db, before, () => 0).keep([], { runId: 'r', asker });
        expect(id).toBeTruthy();
        await requireReadable(database.db, after);
      });
    });

    describe('the key of a workspace', () => {
      const keys = () => createApiKeyStore(database.db, before);
      const key = (apiKey: string, limit = 50) => ({ apiKey, fingerprint: `f-${apiKey}`, limit });

      test('is as old as it was when it is given again, also with another quota', async () => {
        expect(await keys().save('T1', key('a'), 10, 'U1')).toBe(true);
        expect(await keys().save('T1', key('a'), 20, 'U2')).toBe(false);
        expect(await keys().save('T1', key('a', 70), 30, 'U3')).toBe(true);
        expect(await keys().describe('T1')).toMatchObject({ limit: 70, connectedMs: 10, connectedBy: 'U1' });
        expect(await keys().save('T1', key('b'), 40, 'U4')).toBe(true);
        expect(await keys().describe('T1')).toMatchObject({ limit: 50, connectedMs: 40, connectedBy: 'U4' });
        expect((await keys().find('T1'))?.apiKey).toBe('b');
      });

      test('is replaced once by many who give the same at once', async () => {
        await keys().save('T1', key('a'), 10, 'U1');
        const saved = await Promise.all(
          Array.from({ length: 10 }, () => keys().save('T1', key('b'), 20, 'U1')),
        );
        expect(saved.filter(Boolean)).toHaveLength(1);
      });

      test('is removed once, and found by nobody then', async () => {
        const store = keys();
        await store.save('T1', key('a'), 10, 'U1');
        await store.find('T1');
        expect((await Promise.all([store.remove('T1'), store.remove('T1')])).filter(Boolean)).toHaveLength(1);
        expect(await store.find('T1')).toBeUndefined();
        expect(await store.describe('T1')).toBeUndefined();
      });

      test('is reminded of by one of many who would', async () => {
        await keys().save('T1', key('a'), 10, 'U1');
        const [old] = await keys().olderThan(10);
        if (!old) throw new Error('the key is old enough');
        expect(await keys().olderThan(9)).toEqual([]);
        const claims = () => Promise.all(Array.from({ length: 10 }, () => keys().claimReminder(old, dayMs)));
        expect((await claims()).filter(Boolean)).toHaveLength(1);
        expect((await claims()).filter(Boolean)).toHaveLength(0);
        expect(await keys().claimReminder({ ...old, remindedMs: dayMs }, 2 * dayMs)).toBe(true);
        await keys().save('T1', key('b'), 20, 'U1');
        expect(await keys().describe('T1')).toMatchObject({ remindedMs: null });
      });
    });

    test('what was done without a run of its own is on record as a settled one', async () => {
      const runs = createRunStore(database.db);
      const entry = { asker, operation: 'connect', target: 'API key', nowMs: 7 } as const;
      await runs.record({
        ...entry,
        status: 'done',
        outcome: { title: 'Connected' },
        origin: { channel: 'C1' },
      });
      const problem = { code: 'not_permitted', what: 'No.', changed: 'Nothing.', next: 'Ask.' } as const;
      await runs.record({ ...entry, status: 'refused', outcome: problem });
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
      expect(await runs.lapse({ kind: 'problem', problem }, { owner: 'o', untilMs: dayMs }, dayMs)).toEqual(
        [],
      );
      expect(await runs.adopt({ owner: 'o', untilMs: dayMs }, dayMs)).toEqual([]);
    });

    test('whatever was sealed is read with its key and no other', async () => {
      await fc.assert(
        fc.asyncProperty(fc.string(), async (secret) => {
          const use = { purpose: 'api-key', owner: 'T1' } as const;
          const jwe = await before.seal(secret, use);
          expect([before.keyOf(jwe), both.keyOf(jwe), after.keyOf(jwe)]).toEqual(['first', 'other', 'none']);
          expect(await both.open(jwe, use)).toBe(secret);
        }),
        { numRuns: 30 },
      );
    });
  });
}
