import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createAskStore } from '../../../src/asks/ask-store.ts';
import { createAuditChain } from '../../../src/audit/chain/audit-chain.ts';
import { createApprovalRuleStore } from '../../../src/auth/approval-rules/approval-rule-store.ts';
import { createGrantStore } from '../../../src/auth/grants/grant-store.ts';
import { storedData, storedTables } from '../../../src/db/stored-data.ts';
import { createMessageStore } from '../../../src/messages/message-store.ts';
import { createCatalogue } from '../../../src/operations/define/catalogue.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import { createDataRetention } from '../../../src/workspaces/erasure/data-retention.ts';
import { forgetPerson, forgetWorkspace } from '../../../src/workspaces/erasure/forget.ts';
import { insertRuns } from '../../audit/insert-runs.ts';
import { databases, useTestDatabase } from '../../db/test-database.ts';

const dayMs = 24 * 60 * 60_000;
const minuteMs = 60_000;
const startMs = 1_000 * dayMs;
const catalogue = createCatalogue(hostingOperations().groups);

describe.each(databases)('erasure in $name', ({ start }) => {
  const database = useTestDatabase(start);
  let nowMs = startMs;
  const createRetention = (isInstalled: boolean) =>
    createDataRetention({
      db: database.db,
      installations: {
        findFresh: async (teamId) =>
          isInstalled
            ? { teamId, teamName: '', enterpriseId: null, botToken: '', botId: '', botUserId: '' }
            : undefined,
      },
      log: { info: () => undefined },
      now: () => nowMs,
    });

  async function fillWorkspace(teamId: string): Promise<void> {
    const { db } = database;
    const alice = { teamId, userId: 'U0ALICE' };
    const bob = { teamId, userId: 'U0BOB' };
    await insertRuns(db, [
      { id: `bob ${teamId}`, team_id: teamId, user_id: 'U0BOB', settled_at: startMs },
      {
        id: `alice ${teamId}`,
        team_id: teamId,
        user_id: 'U0ALICE',
        operation: 'access grant',
        input: '{"who":"U0BOB U0BOBBY","right":"view"}',
        approved_by: 'U0BOB',
        settled_at: startMs,
      },
    ]);
    await createGrantStore(db).grant(
      { teamId, changedBy: 'U0BOB', nowMs },
      { grantees: ['U0BOB', 'U0CAROL'], right: 'operate', patterns: ['*'] },
    );
    await createAskStore(db).add(
      {
        actor: bob,
        kind: 'access',
        subject: 'view',
        title: 'view on all VPS',
        required: { right: 'admin', vps: [] },
        expiresMs: nowMs + 7 * dayMs,
      },
      nowMs,
    );
    await createApprovalRuleStore(db).add(
      alice,
      { needs: 'approval', subject: 'reboot', vps: '*', channel: null, userGroup: null },
      nowMs,
    );
  }

  const listTeams = async (table: 'run' | 'access_grant' | 'ask' | 'approval_rule') =>
    (await database.db.selectFrom(table).select('team_id').distinct().orderBy('team_id').execute()).map(
      ({ team_id }) => team_id,
    );

  test('a workspace that installs the app again while it is purged stays installed', async () => {
    const { db } = database;
    const retention = createDataRetention({
      db,
      installations: {
        async findFresh(teamId) {
          const tokens = { bot_token_jwe: '', bot_id: '', bot_user_id: '' };
          await db
            .insertInto('installation')
            .values({ team_id: teamId, team_name: '', ...tokens, installed_at: nowMs })
            .execute();
          return undefined;
        },
      },
      log: { info: () => undefined },
      now: () => nowMs,
    });
    await retention.handleUninstalled('T0ACME');
    nowMs += 31 * dayMs;
    await retention.deleteDue(catalogue);
    nowMs = startMs;
    expect(await db.selectFrom('installation').select('team_id').execute()).toEqual([{ team_id: 'T0ACME' }]);
  });

  test('every table is declared with a key that its rows have', async () => {
    const tables = await database.db.introspection.getTables();
    expect(tables.map((table) => table.name).toSorted()).toEqual(storedTables.toSorted());
    for (const table of storedTables) {
      const columns = tables.find((one) => one.name === table)?.columns.map((column) => column.name);
      const { key, workspace, person } = storedData[table];
      expect(columns).toEqual(
        expect.arrayContaining([
          ...key,
          ...(workspace ? [workspace.column] : []),
          ...(person ? [person] : []),
        ]),
      );
    }
  });

  test('grants, requests and rules end with the installation; everything else after 30 days', async () => {
    for (const teamId of ['T0ACME', 'T0GLOBEX']) await fillWorkspace(teamId);
    nowMs = startMs;
    const retention = createRetention(false);
    await retention.handleUninstalled('T0ACME');
    for (const table of ['access_grant', 'ask', 'approval_rule'] as const) {
      expect(await listTeams(table)).toEqual(['T0GLOBEX']);
    }
    expect(await listTeams('run')).toEqual(['T0ACME', 'T0GLOBEX']);
    nowMs += 30 * dayMs - 1;
    await retention.deleteDue(catalogue);
    expect(await listTeams('run')).toEqual(['T0ACME', 'T0GLOBEX']);
    nowMs += 1;
    await retention.deleteDue(catalogue);
    expect(await listTeams('run')).toEqual(['T0GLOBEX']);
  });

  test('a workspace that was installed again is not purged', async () => {
    await fillWorkspace('T0ACME');
    nowMs = startMs;
    await createRetention(false).handleUninstalled('T0ACME');
    nowMs += 31 * dayMs;
    await createRetention(true).deleteDue(catalogue);
    await createRetention(false).deleteDue(catalogue);
    expect(await listTeams('run')).toEqual(['T0ACME']);
  });

  test('the outcome of a read is deleted after 30 minutes, that of a change is kept', async () => {
    nowMs = startMs;
    await insertRuns(database.db, [
      { id: 'read', operation: 'whoami', settled_at: startMs, response_url_jwe: 'a JWE' },
      { id: 'change', operation: 'reboot', settled_at: startMs, response_url_jwe: 'a JWE' },
      { id: 'unreported', operation: 'whoami', settled_at: startMs, owner: 'a process' },
    ]);
    const retention = createRetention(true);
    const readRows = () =>
      database.db.selectFrom('run').select(['id', 'outcome', 'response_url_jwe']).orderBy('id').execute();
    nowMs += 30 * minuteMs - 1;
    await retention.deleteDue(catalogue);
    expect((await readRows()).every(({ outcome }) => outcome !== null)).toBe(true);
    nowMs += 1;
    await retention.deleteDue(catalogue);
    expect(await readRows()).toEqual([
      { id: 'change', outcome: expect.stringContaining('Rebooted'), response_url_jwe: null },
      { id: 'read', outcome: null, response_url_jwe: null },
      { id: 'unreported', outcome: expect.any(String), response_url_jwe: null },
    ]);
    nowMs += 30 * minuteMs;
    await retention.deleteDue(catalogue);
    expect((await readRows()).filter(({ outcome }) => outcome !== null)).toHaveLength(1);
  });

  test('a damaged outcome is trimmed too, and keeps no other one', async () => {
    const settled = { settled_at: startMs, target: null };
    await insertRuns(database.db, [
      { id: 'change', ...settled, outcome: '{"kind":"outcome","mail":"bob@acme.example' },
      { id: 'later', ...settled, outcome: '{"kind":"of a later version","mail":"bob@acme.example"}' },
      { id: 'read', ...settled, operation: 'whoami', outcome: '{"kind":"outc' },
      { id: 'whole', ...settled, operation: 'whoami' },
    ]);
    nowMs = startMs + 30 * minuteMs;
    await createRetention(true).deleteDue(catalogue);
    const rows = await database.db.selectFrom('run').select(['id', 'outcome']).orderBy('id').execute();
    expect(rows).toEqual([
      { id: 'change', outcome: '{"kind":"outcome","mail":"(address deleted)' },
      { id: 'later', outcome: '{"kind":"of a later version","mail":"(address deleted)"}' },
      { id: 'read', outcome: null },
      { id: 'whole', outcome: null },
    ]);
  });

  test('an access request is deleted when it can no longer be decided', async () => {
    await fillWorkspace('T0ACME');
    nowMs = startMs + 9 * dayMs;
    await createRetention(true).deleteDue(catalogue);
    expect(await listTeams('ask')).toEqual([]);
  });

  test('a forgotten workspace is in no row anymore, and others are untouched', async () => {
    for (const teamId of ['T0ACME', 'T0GLOBEX']) await fillWorkspace(teamId);
    const { deleted, remaining } = await forgetWorkspace(database.db, 'T0ACME');
    expect(deleted).toEqual(
      expect.arrayContaining([
        { table: 'run', rows: 2 },
        { table: 'access_grant', rows: 2 },
      ]),
    );
    expect(remaining).toEqual([]);
    expect(await dump()).not.toContain('T0ACME');
    expect(await listTeams('run')).toEqual(['T0GLOBEX']);
  });

  test('a forgotten person is in no row anymore, and longer IDs are kept', async () => {
    await fillWorkspace('T0ACME');
    const report = await forgetPerson(database.db, createAuditChain('key'), 'U0BOB');
    expect(report).toMatchObject({
      deleted: expect.arrayContaining([
        { table: 'run', rows: 1 },
        { table: 'access_grant', rows: 1 },
      ]),
      replaced: expect.arrayContaining([{ table: 'run', rows: 1 }]),
      remaining: [],
    });
    const text = await dump();
    expect(text).not.toMatch(/U0BOB(?!BY)/);
    expect(text).toContain('erased U0BOBBY');
    expect(text).toContain('U0CAROL');
  });

  test('what people were told is forgotten with each of them', async () => {
    const { put } = createMessageStore(database.db);
    const state = { kind: 'outcome', content: { text: 'A report is paused' }, about: 'Report "Morning"' };
    for (const channel of ['U0BOB', 'U0CAROL', 'C0OPS'])
      await put(`pause:1:${channel}`, { teamId: 'T0ACME', channel, fallbacks: ['U0BOB'] }, state, nowMs);
    for (const userId of ['U0BOB', 'U0CAROL'])
      expect(await forgetPerson(database.db, createAuditChain('key'), userId)).toMatchObject({
        deleted: [{ table: 'message', rows: 1 }],
        remaining: [],
      });
    const kept = await database.db.selectFrom('message').select(['channel', 'fallbacks']).execute();
    expect(kept).toEqual([{ channel: 'C0OPS', fallbacks: '["erased"]' }]);
  });

  test('a person can be forgotten in one workspace only', async () => {
    for (const teamId of ['T0ACME', 'T0GLOBEX']) await fillWorkspace(teamId);
    await forgetPerson(database.db, createAuditChain('key'), 'U0BOB', 'T0ACME');
    const rows = await database.db
      .selectFrom('run')
      .select('team_id')
      .where('user_id', '=', 'U0BOB')
      .execute();
    expect(rows).toEqual([{ team_id: 'T0GLOBEX' }]);
  });

  async function dump(): Promise<string> {
    const rows = storedTables.map((table) => sql`select * from ${sql.table(table)}`.execute(database.db));
    return JSON.stringify(await Promise.all(rows));
  }
});
