import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/operations/runs/run.ts';
import { createRunStore } from '../../src/operations/runs/run-store.ts';
import { createVault } from '../../src/storage/vault.ts';
import { createApiKeyStore } from '../../src/workspaces/api-key-store.ts';
import { createDeparture, type TokenState } from '../../src/workspaces/departure.ts';
import { createInstallationStore } from '../../src/workspaces/installation-store.ts';
import { createShownOnce } from '../../src/workspaces/shown-once.ts';
import { runOf } from '../operations/runs/run-of.ts';
import { type StartDatabase, stageDatabase } from '../storage/stage-database.ts';

const nowMs = 1_000_000;

/** What becomes of workspaces that the app is no longer in, in every database alike. */
export function describeDeparture(name: string, start: StartDatabase): void {
  describe(`departures in ${name}`, () => {
    const database = stageDatabase(start);
    const vault = createVault([randomBytes(32)]);

    /** One process: it has caches of its own. */
    function createReplica(states: Readonly<Record<string, TokenState>>) {
      const { db } = database;
      const installations = createInstallationStore(db, vault);
      const [keys, secrets, runs] = [
        createApiKeyStore(db, vault),
        createShownOnce(db, vault, () => nowMs),
        createRunStore(db),
      ];
      const announced: Run[] = [];
      const departed: string[] = [];
      const departure = createDeparture({
        installations,
        keys,
        secrets,
        runs,
        announce: (run) => void announced.push(run),
        stateOf: async (token) => states[token] ?? 'unknown',
        onDeparted: [async (teamId) => void departed.push(teamId)],
        log: { info: () => undefined, error: () => undefined },
        now: () => nowMs,
      });
      return { installations, keys, secrets, runs, departure, announced, departed };
    }

    const installation = (teamId: string, botToken: string, enterpriseId: string | null = null) => ({
      teamId,
      teamName: teamId,
      enterpriseId,
      botToken,
      botId: 'B1',
      botUserId: 'U0BOT',
    });
    const key = (teamId: string) => ({ apiKey: `key of ${teamId}`, fingerprint: teamId, limit: 50 });
    const run = (id: string, teamId: string, status: Run['status']) =>
      runOf({
        id,
        asker: { teamId, userId: 'U1' },
        status,
        notAfterMs: nowMs + 1,
        queuedMs: null,
        settledMs: null,
      });
    const lease = { owner: 'a process', untilMs: nowMs };

    test('a workspace that is gone keeps no secret, and what was not sent is not run', async () => {
      const replica = createReplica({ token: 'gone' });
      const { installations, keys, secrets, runs, departure } = replica;
      for (const teamId of ['T1', 'T2']) {
        await installations.save(installation(teamId, teamId === 'T1' ? 'token' : 'other'), 1);
        await keys.save(teamId, key(teamId), 1);
        await secrets.keep([{ label: 'l', value: 'v' }], { runId: 'r', asker: { teamId, userId: 'U1' } });
        for (const status of ['waiting', 'queued', 'sent'] as const) {
          await runs.claim(run(`${status} ${teamId}`, teamId, status), `${status} ${teamId}`, lease);
        }
      }
      await Promise.all([departure.uninstalled('T1'), departure.uninstalled('T1'), departure.refused('T1')]);
      expect(await installations.find('T1')).toBeUndefined();
      expect(await keys.find('T1')).toBeUndefined();
      expect(await database.db.selectFrom('secret').select('team_id').execute()).toEqual([{ team_id: 'T2' }]);
      expect(replica.announced.map(({ id, status }) => [id, status]).sort()).toEqual([
        ['queued T1', 'expired'],
        ['waiting T1', 'expired'],
      ]);
      expect(await runs.send('queued T1', lease.owner, nowMs)).toBe(false);
      expect(await runs.find('sent T1')).toMatchObject({ status: 'sent' });
      expect(await runs.find('queued T2')).toMatchObject({ status: 'queued' });
      expect(await keys.find('T2')).toMatchObject({ apiKey: 'key of T2' });
      expect(replica.departed).toEqual(['T1']);
      const recorded = await database.db
        .selectFrom('run')
        .selectAll()
        .where('operation', '=', 'uninstall')
        .execute();
      expect(recorded).toMatchObject([{ team_id: 'T1', status: 'done', target: 'Rackhand' }]);
    });

    test('what Slack says late, of an installation before, takes nothing from the present one', async () => {
      const { installations, keys, departure } = createReplica({ before: 'gone', present: 'good' });
      await installations.save(installation('T1', 'before'), 1);
      const other = createReplica({ before: 'gone', present: 'good' });
      expect(await other.installations.find('T1')).toMatchObject({ botToken: 'before' });
      await installations.save(installation('T1', 'present'), 2);
      await keys.save('T1', key('T1'), 2);
      await departure.uninstalled('T1');
      // The other replica still went by the token from before, and was refused.
      await other.departure.refused('T1');
      expect(await keys.find('T1')).toBeDefined();
      expect(await other.installations.find('T1')).toMatchObject({ botToken: 'present' });
    });

    test('while Slack cannot be asked its word counts, and a refusal alone does not', async () => {
      const { installations, departure } = createReplica({});
      await installations.save(installation('T1', 'token'), 1);
      await departure.refused('T1');
      expect(await installations.find('T1')).toBeDefined();
      await departure.uninstalled('T1');
      expect(await installations.find('T1')).toBeUndefined();
    });

    test('the word of Slack counts also while a refusal is being looked into', async () => {
      const { installations, departure, departed } = createReplica({});
      await installations.save(installation('T1', 'token'), 1);
      await Promise.all([departure.refused('T1'), departure.uninstalled('T1'), departure.refused('T1')]);
      expect(await installations.find('T1')).toBeUndefined();
      expect(departed).toEqual(['T1']);
    });

    test('the workspaces of an organisation go by its installation, unless they have their own', async () => {
      const { installations, keys, departure, departed } = createReplica({ org: 'gone', own: 'good' });
      await installations.save(installation('E1', 'org', 'E1'), 1);
      await installations.save(installation('T3', 'own', 'E1'), 1);
      expect(await installations.find('T1')).toBeUndefined();
      for (const teamId of ['T1', 'T2', 'T3']) {
        const query = { teamId, enterpriseId: 'E1', isOrgWide: true };
        expect(await installations.findFor(query)).toMatchObject({ botToken: 'org' });
        await keys.save(teamId, key(teamId), 1);
      }
      expect(await installations.findFor({ teamId: 'T3', enterpriseId: 'E1' })).toMatchObject({
        botToken: 'own',
      });
      const restarted = createInstallationStore(database.db, vault);
      expect(await restarted.find('T2')).toMatchObject({ botToken: 'org' });

      await departure.left(['T1', 'T3', 'T9']);
      expect(departed).toEqual(['T1']);
      expect(await keys.find('T1')).toBeUndefined();
      expect(await installations.find('T1')).toBeUndefined();
      expect(await installations.find('T2')).toBeDefined();

      await departure.uninstalled('E1');
      expect(departed).toEqual(['T1', 'T2']);
      expect(await keys.find('T2')).toBeUndefined();
      expect(await keys.find('T3')).toBeDefined();
      expect(await installations.find('T3')).toMatchObject({ botToken: 'own' });
    });

    test('a workspace that leaves its organisation and returns is known again, to every process', async () => {
      const [replica, other] = [createReplica({ org: 'good' }), createReplica({ org: 'good' })];
      await replica.installations.save(installation('E1', 'org', 'E1'), 1);
      const query = { teamId: 'T1', enterpriseId: 'E1', isOrgWide: true };
      await replica.installations.findFor(query);
      await other.installations.findFor(query);
      await other.departure.left(['T1']);
      expect(await replica.installations.findFresh('T1')).toBeUndefined();

      expect(await replica.installations.findFor(query)).toMatchObject({ botToken: 'org' });
      expect(await replica.installations.workspacesOf('E1')).toEqual(['T1']);
      for (const { installations } of [replica, other]) {
        expect(await installations.find('T1')).toMatchObject({ botToken: 'org' });
      }
    });
  });
}
