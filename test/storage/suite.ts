import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/operations/runs/run.ts';
import { createRunStore } from '../../src/operations/runs/run-store.ts';
import { createCallJournal } from '../../src/storage/call-journal.ts';
import { createVault } from '../../src/storage/vault.ts';
import { createApiKeyStore } from '../../src/workspaces/api-key-store.ts';
import { createInstallationStore } from '../../src/workspaces/installation-store.ts';
import { ownSecret } from '../../src/workspaces/own-secret.ts';
import { runOf } from '../operations/runs/run-of.ts';
import { type StartDatabase, stageDatabase } from './stage-database.ts';

const minuteMs = 60_000;

/** What every database must do alike. */
export function describeStorage(name: string, start: StartDatabase): void {
  describe(`storage in ${name}`, () => {
    const database = stageDatabase(start);
    const vault = createVault([randomBytes(32)]);

    describe('a run', () => {
      const lease = { owner: 'this process', untilMs: 10 * minuteMs };
      const run = runOf({
        asker: { teamId: 'T1', userId: 'U1' },
        origin: { channel: 'C1', threadTs: '1.2' },
        status: 'waiting',
        notAfterMs: 5 * minuteMs,
        requestedMs: 1_795_000_000_123,
        queuedMs: null,
        settledMs: null,
      });
      const result = { kind: 'outcome', outcome: { title: 'done “здесь” 🟢' } } as const;

      test('comes back as it was kept', async () => {
        const runs = createRunStore(database.db);
        expect(await runs.claim(run, 'key-1', lease)).toBe(true);
        expect(await runs.find('run-1')).toEqual(run);
        await runs.keepMessage('run-1', { channel: 'C1', ts: '3.4' });
        expect((await runs.find('run-1'))?.message).toEqual({ channel: 'C1', ts: '3.4' });
      });

      test('is claimed by one of many that come with the same key', async () => {
        const runs = createRunStore(database.db);
        const claims = Array.from({ length: 20 }, (_, index) =>
          runs.claim({ ...run, id: `run-${index}` }, 'same', lease),
        );
        expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
      });

      test('goes from waiting to queued to sent to done, each step once', async () => {
        const runs = createRunStore(database.db);
        await runs.claim(run, 'key-1', lease);
        const queue = () => runs.queue('run-1', lease, 6 * minuteMs, minuteMs);
        expect((await Promise.all([queue(), queue(), queue()])).filter(Boolean)).toHaveLength(1);
        const send = () => runs.send('run-1', lease.owner, minuteMs);
        expect((await Promise.all([send(), send(), send()])).filter(Boolean)).toHaveLength(1);
        const settle = () =>
          runs.settle({ id: 'run-1', from: ['sent'], owner: lease.owner, status: 'done', result, nowMs: 7 });
        expect((await Promise.all([settle(), settle()])).filter(Boolean)).toHaveLength(1);
        expect(await runs.find('run-1')).toMatchObject({ status: 'done', result, settledMs: 7 });
      });

      test('is not queued after its confirmation has lapsed, nor sent after its not-after', async () => {
        const runs = createRunStore(database.db);
        await runs.claim(run, 'key-1', lease);
        expect(await runs.queue('run-1', lease, 6 * minuteMs, 5 * minuteMs)).toBe(false);
        expect(await runs.queue('run-1', lease, 6 * minuteMs, 5 * minuteMs - 1)).toBe(true);
        expect(await runs.send('run-1', lease.owner, 6 * minuteMs)).toBe(false);
      });

      test('is sent and settled by its owner alone', async () => {
        const runs = createRunStore(database.db);
        await runs.claim(run, 'key-1', lease);
        await runs.queue('run-1', lease, 6 * minuteMs, minuteMs);
        expect(await runs.send('run-1', 'another', minuteMs)).toBe(false);
        expect(
          await runs.settle({
            id: 'run-1',
            from: ['queued'],
            owner: 'another',
            status: 'done',
            result,
            nowMs: 7,
          }),
        ).toBe(false);
        expect((await runs.find('run-1'))?.status).toBe('queued');
      });

      test('whose end nobody has told is taken over by another, once, until it is told', async () => {
        const runs = createRunStore(database.db);
        await runs.claim(run, 'key-1', lease);
        await runs.queue('run-1', lease, 6 * minuteMs, minuteMs);
        const end = { from: ['queued'], owner: lease.owner, status: 'done', result, nowMs: 7 } as const;
        await runs.settle({ id: 'run-1', ...end, untilTold: lease });
        const next = { owner: 'next', untilMs: lease.untilMs + minuteMs };
        const adopt = (leaseBeforeMs: number, sinceMs = 7) =>
          runs.adoptUntold(next, leaseBeforeMs, sinceMs).then((adopted) => adopted.map(({ id }) => id));
        expect(await adopt(lease.untilMs)).toEqual([]);
        expect(await adopt(lease.untilMs + 1, 8)).toEqual([]);
        expect((await Promise.all([adopt(lease.untilMs + 1), adopt(lease.untilMs + 1)])).flat()).toEqual([
          'run-1',
        ]);
        await runs.told('run-1', 6);
        expect(await runs.adoptUntold(lease, next.untilMs + 1, 0)).toHaveLength(1);
        await runs.told('run-1', 7);
        expect(await runs.adoptUntold(next, Number.MAX_SAFE_INTEGER, 0)).toEqual([]);
      });

      test('ends from the states that it may end from alone', async () => {
        const runs = createRunStore(database.db);
        const settle = (id: string, from: readonly Run['status'][], status: 'done' | 'unknown' | 'refused') =>
          runs.settle({ id, from, owner: lease.owner, status, result, nowMs: 7 });
        await runs.claim(run, 'key-1', lease);
        expect(await settle('run-1', ['queued', 'sent'], 'done')).toBe(false);
        await runs.queue('run-1', lease, 6 * minuteMs, minuteMs);
        expect(await settle('run-1', ['waiting'], 'refused')).toBe(false);
        expect(await settle('run-1', ['queued', 'sent'], 'unknown')).toBe(true);
        expect(await settle('run-1', ['queued', 'sent'], 'done')).toBe(false);
        expect(await settle('run-1', ['queued', 'sent', 'unknown'], 'done')).toBe(true);
        expect(await settle('run-1', ['queued', 'sent', 'unknown'], 'unknown')).toBe(false);
      });

      test('that has waited past its time lapses, once', async () => {
        const runs = createRunStore(database.db);
        await runs.claim(run, 'key-1', lease);
        await runs.claim({ ...run, id: 'run-2', notAfterMs: 9 * minuteMs }, 'key-2', lease);
        const lapsed = await Promise.all([1, 2, 3].map(() => runs.lapse(result, lease, 5 * minuteMs)));
        expect(lapsed.flat()).toMatchObject([
          { id: 'run-1', status: 'expired', result, settledMs: 5 * minuteMs },
        ]);
      });

      test('waits for a second person once, and is let go by them alone, for what they were shown', async () => {
        const runs = createRunStore(database.db);
        await runs.claim(run, 'key-1', lease);
        const question = { shown: 'running', notAfterMs: 8 * minuteMs };
        const ask = () => runs.awaitApproval(run, question, lease, minuteMs);
        expect((await Promise.all([ask(), ask(), ask()])).filter(Boolean)).toHaveLength(1);
        const until = { notAfterMs: 9 * minuteMs, askedAgainMs: null };
        expect(await runs.show('run-1', 'stopped', until, lease)).toBe(false);
        const queue = (approved?: { by: string; shown: string }) =>
          runs.queue('run-1', lease, 9 * minuteMs, minuteMs, approved);
        expect(await queue()).toBe(false);
        expect(await queue({ by: 'U2', shown: 'stopped' })).toBe(false);
        const end = { id: 'run-1', from: ['waiting'], owner: lease.owner, status: 'failed', result } as const;
        expect(await runs.settle({ ...end, nowMs: 7 })).toBe(false);
        expect(await runs.keepCards('run-1', [{ channel: 'C2', ts: '5.6' }])).toBe(true);
        const approve = (by: string) => queue({ by, shown: 'running' });
        expect((await Promise.all([approve('U2'), approve('U3')])).filter(Boolean)).toHaveLength(1);
        expect(await runs.find('run-1')).toMatchObject({
          status: 'queued',
          approval: { places: [{ channel: 'C2', ts: '5.6' }], approverId: expect.stringMatching(/^U[23]$/) },
        });
      });

      test('that was about to ask a second person is adopted, and one that has asked them is not', async () => {
        const runs = createRunStore(database.db);
        for (const id of ['asking', 'asked', 'unasked']) {
          await runs.claim({ ...run, id }, id, lease);
          if (id !== 'unasked')
            await runs.awaitApproval({ ...run, id }, { shown: 'running', notAfterMs: 9 }, lease, 0);
        }
        await runs.keepCards('asked', [{ channel: 'C2', ts: '5.6' }]);
        const next = { owner: 'next', untilMs: 99 * minuteMs };
        expect((await runs.adopt(next, lease.untilMs + 1)).map(({ id }) => id)).toEqual(['asking']);
        expect((await runs.ownedBy('next')).map(({ id }) => id)).toEqual(['asking']);
      });

      test('that lapses is to be told where its card never came, or a second person was asked', async () => {
        const runs = createRunStore(database.db);
        for (const id of ['unseen', 'seen', 'asked']) await runs.claim({ ...run, id }, id, lease);
        await runs.cardTold('seen');
        await runs.awaitApproval({ ...run, id: 'asked' }, { shown: 'running', notAfterMs: 9 }, lease, 0);
        await runs.keepCards('asked', [{ channel: 'C2', ts: '5.6' }]);
        const lapsed = await runs.lapse(result, lease, 5 * minuteMs);
        const untold = lapsed.filter(({ isUntold }) => isUntold).map(({ id }) => id);
        expect(untold.sort()).toEqual(['asked', 'unseen']);
        const next = { owner: 'next', untilMs: 99 * minuteMs };
        const adopted = await runs.adoptUntold(next, lease.untilMs + 1, 0);
        expect(adopted.map(({ id }) => id).sort()).toEqual(['asked', 'unseen']);
      });

      test('whose owner is gone is adopted by one of those who try', async () => {
        const runs = createRunStore(database.db);
        await runs.claim({ ...run, status: 'queued' }, 'key-1', lease);
        const adopt = (owner: string, beforeMs: number) =>
          runs.adopt({ owner, untilMs: 99 * minuteMs }, beforeMs);
        expect(await adopt('another', lease.untilMs)).toEqual([]);
        await runs.extendLeases({ owner: lease.owner, untilMs: 20 * minuteMs }, 0);
        expect(await adopt('another', lease.untilMs + 1)).toEqual([]);
        const adopted = await Promise.all(['a', 'b', 'c'].map((owner) => adopt(owner, 20 * minuteMs + 1)));
        expect(adopted.flat()).toEqual([{ ...run, status: 'queued' }]);
      });
    });

    test('the journal of the quota gives what may still count, and forgets the rest', async () => {
      const journal = createCallJournal(database.db);
      await journal.leaving({ key: 'k', callId: 'a', lane: 'people', leftAtMs: 100 });
      await journal.leaving({ key: 'k', callId: 'b', lane: 'background', leftAtMs: 200 });
      await journal.answered('b', 250);
      expect(await journal.since(150)).toEqual([
        { key: 'k', callId: 'b', lane: 'background', leftAtMs: 200, answeredAtMs: 250 },
      ]);
      await journal.pause({ key: 'k', fromMs: 1, untilMs: 500 });
      await journal.pause({ key: 'k', fromMs: 2, untilMs: 900 });
      expect(await journal.pauses(899)).toEqual([{ key: 'k', fromMs: 2, untilMs: 900 }]);
      expect(await journal.pauses(900)).toEqual([]);
      await journal.forget(150);
      expect((await journal.since(0)).map(({ callId }) => callId)).toEqual(['b']);
    });

    test('tokens and keys are in no column in the clear, and come back', async () => {
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

    test('a secret of one workspace cannot be put into the row of another', async () => {
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

    test('an own secret is made once, whoever asks first', async () => {
      const secrets = await Promise.all(
        Array.from({ length: 10 }, () => ownSecret(database.db, vault, 'fingerprint')),
      );
      expect(new Set(secrets).size).toBe(1);
      expect(await ownSecret(database.db, vault, 'another')).not.toBe(secrets[0]);
    });
  });
}
