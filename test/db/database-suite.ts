import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createCallJournal } from '../../src/db/call-journal.ts';
import { loadInstanceSecret } from '../../src/db/encryption/instance-secret.ts';
import { createVault } from '../../src/db/encryption/vault.ts';
import { createSendRecord } from '../../src/db/send-record.ts';
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

    test('the call journal lists calls since a time, and deletes older ones', async () => {
      const journal = createCallJournal(database.db, () => true);
      await journal.recordSent({ fingerprint: 'k', callId: 'a', lane: 'people', sentAtMs: 100 });
      await journal.recordAnswered('a', 149);
      await journal.recordSent({ fingerprint: 'k', callId: 'b', lane: 'background', sentAtMs: 200 });
      await journal.recordAnswered('b', 250);
      const recent = { fingerprint: 'k', callId: 'b', lane: 'background', sentAtMs: 200, answeredAtMs: 250 };
      expect(await journal.listCallsSince(150)).toEqual([recent]);
      await journal.recordPause({ fingerprint: 'k', fromMs: 1, untilMs: 500 });
      await journal.recordPause({ fingerprint: 'k', fromMs: 2, untilMs: 900 });
      expect(await journal.listPauses(899)).toEqual([{ fingerprint: 'k', fromMs: 2, untilMs: 900 }]);
      expect(await journal.listPauses(900)).toEqual([]);
      await journal.deleteBefore(150);
      expect((await journal.listCallsSince(0)).map(({ callId }) => callId)).toEqual(['b']);
    });

    test('the call journal keeps calls that a frozen process has sent late', async () => {
      const journal = createCallJournal(database.db, () => true);
      await journal.recordSent({ fingerprint: 'k', callId: 'late', lane: 'people', sentAtMs: 100 });
      await journal.recordSent({ fingerprint: 'k', callId: 'open', lane: 'people', sentAtMs: 100 });
      await journal.recordAnswered('late', 200);
      await journal.deleteBefore(150);
      const remaining = await journal.listCallsSince(150);
      expect(remaining.map(({ callId }) => callId).sort()).toEqual(['late', 'open']);
    });

    test('the send record tells for how long no other process can have sent a call', async () => {
      let nowMs = 1_000_000;
      const record = createSendRecord(database.db, () => sql<number>`cast(${nowMs} as bigint)`);
      expect(await record.quietForMs('a')).toBe(Number.POSITIVE_INFINITY);
      await record.extend('a', 600_000);
      expect(await record.quietForMs('a')).toBe(Number.POSITIVE_INFINITY);
      expect(await record.quietForMs('b')).toBe(-600_000);
      await record.finish('a');
      nowMs += 5_000;
      expect(await record.quietForMs('b')).toBe(5_000);
      nowMs += 4_000_000;
      await record.extend('b', 600_000);
      const rows = await database.db.selectFrom('quota_sender').select('process_id').execute();
      expect(rows).toEqual([{ process_id: 'b' }]);
      await record.finish('b');
      const journal = createCallJournal(database.db, () => true);
      const call = { fingerprint: 'k', callId: 'without Redis', lane: 'people', sentAtMs: nowMs } as const;
      await journal.recordSent(call);
      nowMs += 1_000;
      expect(await record.quietForMs('c')).toBe(-59_000);
      await journal.recordAnswered(call.callId, nowMs);
      expect(await record.quietForMs('c')).toBe(0);
      await journal.deleteCall(call.callId);
      expect(await record.quietForMs('c')).toBe(1_000);
    });

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
