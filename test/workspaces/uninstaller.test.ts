import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createVault } from '../../src/db/encryption/vault.ts';
import type { Run } from '../../src/runs/run.ts';
import { createOneTimeSecretStore } from '../../src/runs/secrets/one-time-secret-store.ts';
import { createRunStore } from '../../src/runs/store/run-store.ts';
import { createApiKeyStore } from '../../src/workspaces/api-key/api-key-store.ts';
import { createInstallationStore } from '../../src/workspaces/installation-store.ts';
import { createUninstaller, type TokenState } from '../../src/workspaces/uninstaller.ts';
import { databases, useTestDatabase } from '../db/test-database.ts';
import { createRun } from '../runs/create-run.ts';

const nowMs = 1_000_000;

describe.each(databases)('uninstalling in $name', ({ start }) => {
  const database = useTestDatabase(start);
  const vault = createVault([randomBytes(32)]);

  /** Creates a replica with caches of its own. */
  function createReplica(states: Readonly<Record<string, TokenState>>) {
    const { db } = database;
    const installations = createInstallationStore(db, vault);
    const [keys, secrets, runs] = [
      createApiKeyStore(db, vault),
      createOneTimeSecretStore(db, vault, () => nowMs),
      createRunStore(db, vault),
    ];
    const uninstalled: string[] = [];
    const uninstaller = createUninstaller({
      installations,
      keys,
      secrets,
      runs,
      checkToken: async (token) => states[token] ?? 'unknown',
      onUninstalled: async (teamId) => void uninstalled.push(teamId),
      log: { info: () => undefined, error: () => undefined },
      now: () => nowMs,
    });
    return { installations, keys, secrets, runs, uninstaller, uninstalled };
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
    createRun({
      id,
      actor: { teamId, userId: 'U1' },
      status,
      expiresMs: nowMs + 1,
      queuedMs: null,
      settledMs: null,
    });
  const lease = { owner: 'a process', untilMs: nowMs };

  test('deletes the secrets of the workspace and expires its unsent runs', async () => {
    const replica = createReplica({ token: 'revoked' });
    const { installations, keys, secrets, runs, uninstaller } = replica;
    for (const teamId of ['T1', 'T2']) {
      await installations.save(installation(teamId, teamId === 'T1' ? 'token' : 'other'), 1);
      await keys.save(teamId, key(teamId), 1);
      await secrets.save([{ label: 'l', value: 'v' }], { runId: 'r', actor: { teamId, userId: 'U1' } });
      for (const status of ['waiting', 'queued', 'sent'] as const) {
        await runs.claim(run(`${status} ${teamId}`, teamId, status), `${status} ${teamId}`, lease);
      }
    }
    await Promise.all([
      uninstaller.handleUninstalled('T1'),
      uninstaller.handleUninstalled('T1'),
      uninstaller.handleTokenRejected('T1'),
    ]);
    expect(await installations.find('T1')).toBeUndefined();
    expect(await keys.find('T1')).toBeUndefined();
    expect(await database.db.selectFrom('one_time_secret').select('team_id').execute()).toEqual([
      { team_id: 'T2' },
    ]);
    for (const id of ['queued T1', 'waiting T1'])
      expect(await runs.find(id)).toMatchObject({ status: 'expired' });
    expect(await runs.markSent('queued T1', 'queued', lease.owner, nowMs)).toBe(false);
    expect(await runs.find('sent T1')).toMatchObject({ status: 'sent' });
    expect(await runs.find('queued T2')).toMatchObject({ status: 'queued' });
    expect(await keys.find('T2')).toMatchObject({ apiKey: 'key of T2' });
    expect(replica.uninstalled).toEqual(['T1']);
    const entries = await database.db
      .selectFrom('run')
      .selectAll()
      .where('operation', '=', 'uninstall')
      .execute();
    expect(entries).toMatchObject([{ team_id: 'T1', status: 'done', target: 'Rackhand' }]);
  });

  test('a late report about an earlier installation does not touch the current one', async () => {
    const { installations, keys, uninstaller } = createReplica({ earlier: 'revoked', current: 'valid' });
    await installations.save(installation('T1', 'earlier'), 1);
    const other = createReplica({ earlier: 'revoked', current: 'valid' });
    expect(await other.installations.find('T1')).toMatchObject({ botToken: 'earlier' });
    await installations.save(installation('T1', 'current'), 2);
    await keys.save('T1', key('T1'), 2);
    await uninstaller.handleUninstalled('T1');
    // The other replica used its cached token of an earlier installation, which Slack rejected.
    await other.uninstaller.handleTokenRejected('T1');
    expect(await keys.find('T1')).toBeDefined();
    expect(await other.installations.find('T1')).toMatchObject({ botToken: 'current' });
  });

  test('a report counts while Slack is unavailable, but a rejected token alone does not', async () => {
    const { installations, uninstaller } = createReplica({});
    await installations.save(installation('T1', 'token'), 1);
    await uninstaller.handleTokenRejected('T1');
    expect(await installations.find('T1')).toBeDefined();
    await uninstaller.handleUninstalled('T1');
    expect(await installations.find('T1')).toBeUndefined();
  });

  test('a report from Slack counts even while a rejected token is being checked', async () => {
    const { installations, uninstaller, uninstalled } = createReplica({});
    await installations.save(installation('T1', 'token'), 1);
    await Promise.all([
      uninstaller.handleTokenRejected('T1'),
      uninstaller.handleUninstalled('T1'),
      uninstaller.handleTokenRejected('T1'),
    ]);
    expect(await installations.find('T1')).toBeUndefined();
    expect(uninstalled).toEqual(['T1']);
  });

  test("workspaces use their organization's installation unless they have their own", async () => {
    const { installations, keys, uninstaller, uninstalled } = createReplica({
      org: 'revoked',
      own: 'valid',
    });
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

    await uninstaller.handleWorkspacesRemoved(['T1', 'T3', 'T9']);
    expect(uninstalled).toEqual(['T1']);
    expect(await keys.find('T1')).toBeUndefined();
    expect(await installations.find('T1')).toBeUndefined();
    expect(await installations.find('T2')).toBeDefined();

    await uninstaller.handleUninstalled('E1');
    expect(uninstalled).toEqual(['T1', 'T2']);
    expect(await keys.find('T2')).toBeUndefined();
    expect(await keys.find('T3')).toBeDefined();
    expect(await installations.find('T3')).toMatchObject({ botToken: 'own' });
  });

  test('a workspace that is removed from its organization and added again works on every replica', async () => {
    const [replica, other] = [createReplica({ org: 'valid' }), createReplica({ org: 'valid' })];
    await replica.installations.save(installation('E1', 'org', 'E1'), 1);
    const query = { teamId: 'T1', enterpriseId: 'E1', isOrgWide: true };
    await replica.installations.findFor(query);
    await other.installations.findFor(query);
    await other.uninstaller.handleWorkspacesRemoved(['T1']);
    expect(await replica.installations.findFresh('T1')).toBeUndefined();

    expect(await replica.installations.findFor(query)).toMatchObject({ botToken: 'org' });
    expect(await replica.installations.listWorkspaces('E1')).toEqual(['T1']);
    for (const { installations } of [replica, other]) {
      expect(await installations.find('T1')).toMatchObject({ botToken: 'org' });
    }
  });
});
