import { beforeAll, describe, expect, test } from 'vitest';
import { type AskStore, createAskStore } from '../../src/asks/ask-store.ts';
import { createAuthorizer } from '../../src/auth/authorizer.ts';
import { createGrantStore, type GrantStore } from '../../src/auth/grants/grant-store.ts';
import type { MemberDirectory } from '../../src/auth/member-directory.ts';
import { databases, useTestDatabase } from '../db/test-database.ts';
import { createMemberDirectory } from './member-directory-fixture.ts';

const change = { teamId: 'T1', changedBy: 'U0ALICE', nowMs: 1_000 };
const operateAll = { right: 'operate', vps: [] } as const;
const bob = { teamId: 'T1', userId: 'U0BOB' };

describe.each(databases)('rights in $name', ({ start }) => {
  const database = useTestDatabase(start);
  let store: GrantStore;
  let requests: AskStore;
  beforeAll(async () => {
    store = createGrantStore(database.db);
    requests = createAskStore(database.db);
  });

  const grant = (grantee: string, right: 'view' | 'operate' | 'admin', pattern = '*') =>
    store.grant(change, { grantees: [grantee], right, patterns: [pattern] });

  test('a second grant on the same pattern raises the right, and never lowers it', async () => {
    expect(await grant('U0BOB', 'view')).toBe(true);
    expect(await grant('U0BOB', 'view')).toBe(false);
    expect(await grant('U0BOB', 'operate')).toBe(true);
    expect(await grant('U0BOB', 'view')).toBe(false);
    expect(await store.listGrants('T1')).toEqual([
      { grantee: 'U0BOB', pattern: '*', right: 'operate', grantedBy: 'U0ALICE', grantedMs: 1_000 },
    ]);
  });

  test('of concurrent grants the highest right stays', async () => {
    const granted = ['view', 'operate', 'admin', 'view', 'operate'] as const;
    await Promise.all(granted.map((right) => grant('U0BOB', right)));
    expect(await store.listGrants('T1')).toMatchObject([{ right: 'admin' }]);
  });

  test('a grant is revoked on exactly its pattern, or with all others', async () => {
    await grant('U0BOB', 'view');
    await grant('U0BOB', 'operate', 'VPS-1*');
    await grant('U0CAROL', 'view');
    expect(await store.revoke('T1', 'U0BOB', ['VPS-10001'])).toEqual([]);
    expect(await store.revoke('T2', 'U0BOB')).toEqual([]);
    expect(await store.revoke('T1', 'U0BOB', ['VPS-1*'])).toEqual([{ right: 'operate', pattern: 'VPS-1*' }]);
    expect(await store.revoke('T1', 'U0BOB')).toEqual([{ right: 'view', pattern: '*' }]);
    expect(await store.listGrants('T1')).toMatchObject([{ grantee: 'U0CAROL' }]);
  });

  test('grants and limits apply only in their own workspace', async () => {
    await grant('U0BOB', 'admin');
    await store.setChannelLimit(change, { channel: 'C1', maxRight: 'view' });
    const authorizer = createAuthorizer({ store, directory: createMemberDirectory() });
    expect((await authorizer.resolveAccess({ teamId: 'T2', userId: 'U0BOB' }, {}))(operateAll)).toBeDefined();
    expect(await store.findChannelLimit('T2', 'C1')).toBeUndefined();
  });

  test('rights come from user groups and from everyone, but not from a group whose members are unknown', async () => {
    const directory = createMemberDirectory({ groups: { S0ONCALL: ['U0BOB'], S0DARK: 'unknown' } });
    const { resolveAccess } = createAuthorizer({ store, directory });
    expect((await resolveAccess(bob, {}))(operateAll)?.message).toContain("You don't have permission");
    await grant('S0GONE', 'operate');
    await grant('S0DARK', 'operate');
    expect((await resolveAccess(bob, {}))(operateAll)?.message).toContain(
      "Slack couldn't confirm which user groups",
    );
    await grant('S0ONCALL', 'operate');
    expect((await resolveAccess(bob, {}))(operateAll)).toBeUndefined();
    await store.revoke('T1', 'S0ONCALL');
    await grant('everyone', 'operate');
    expect((await resolveAccess(bob, {}))(operateAll)).toBeUndefined();
  });

  test('a channel limit applies to workspace owners too', async () => {
    const { resolveAccess } = createAuthorizer({
      store,
      directory: createMemberDirectory({ admins: ['U0BOB'] }),
    });
    await store.setChannelLimit(change, { channel: 'C1', maxRight: 'destroy' });
    await store.setChannelLimit(change, { channel: 'C1', maxRight: 'view' });
    expect((await resolveAccess(bob, { channel: 'C1' }))(operateAll)?.message).toContain(
      'This channel allows only "view"',
    );
    expect((await resolveAccess(bob, { channel: 'C2' }))(operateAll)).toBeUndefined();
    await store.setChannelLimit(change, { channel: 'C1', maxRight: 'admin' });
    expect(await store.listChannelLimits('T1')).toEqual([]);
    expect((await resolveAccess(bob, { channel: 'C1' }))(operateAll)).toBeUndefined();
  });

  test('listPeopleWith names grantees and admins, but no one who has left the workspace', async () => {
    const directory = createMemberDirectory({
      admins: ['U0ALICE'],
      groups: { S0ONCALL: ['U0DAVE', 'U0ERIN'] },
      memberTypes: { U0ERIN: 'deleted', U0GONE: 'deleted' },
    });
    const { listPeopleWith } = createAuthorizer({ store, directory });
    await grant('U0BOB', 'operate', 'VPS-1*');
    await grant('U0CAROL', 'view');
    await grant('U0GONE', 'admin');
    await grant('S0ONCALL', 'operate');
    expect(await listPeopleWith('T1', operateAll)).toEqual(['U0DAVE', 'U0ALICE']);
    expect(await listPeopleWith('T1', { right: 'operate', vps: ['VPS-10001'] })).toEqual([
      'U0DAVE',
      'U0BOB',
      'U0ALICE',
    ]);
  });

  test('a granted admin who has left the workspace can do nothing, whatever is remembered', async () => {
    await grant('U0BOB', 'admin');
    const directory: MemberDirectory = {
      ...createMemberDirectory(),
      findMemberType: async (_, { mustBeRecent = false } = {}) => (mustBeRecent ? 'deleted' : 'member'),
    };
    const checkAccess = await createAuthorizer({ store, directory }).resolveAccess(bob, {});
    expect(checkAccess({ right: 'view', vps: [] })).toBeDefined();
  });

  test('findPeopleWith says whether Slack could tell all of them', async () => {
    await grant('U0BOB', 'operate');
    await grant('S0ONCALL', 'operate');
    const find = async (members: Parameters<typeof createMemberDirectory>[0]) =>
      createAuthorizer({ store, directory: createMemberDirectory(members) }).findPeopleWith('T1', operateAll);
    const groups = { S0ONCALL: ['U0CAROL'] };
    expect(await find({ groups })).toEqual({ people: ['U0CAROL', 'U0BOB'], isComplete: true });
    expect(await find({ groups: { S0ONCALL: 'unknown' } })).toEqual({
      people: ['U0BOB'],
      isComplete: false,
    });
    expect(await find({ groups, memberTypes: { U0BOB: 'unknown' } })).toEqual({
      people: ['U0CAROL'],
      isComplete: false,
    });
  });

  const request = {
    kind: 'access',
    subject: 'operate on VPS-10001',
    title: 'operate on VPS-10001',
    required: { right: 'admin', vps: [] },
    expiresMs: 9_000,
  } as const;
  const declined = { verdict: 'declined', by: 'U0ALICE', atMs: 3_000 } as const;

  test("only a person's own requests in this workspace count, also those that were decided", async () => {
    const add = (teamId: string, userId: string, nowMs: number) =>
      requests.add({ ...request, actor: { teamId, userId } }, nowMs);
    const ask = await add('T1', 'U0BOB', 2_000);
    const others = [await add('T1', 'U0CAROL', 2_000), await add('T2', 'U0BOB', 2_000)];
    expect(await requests.listOpen(bob, 'access', 3_000)).toMatchObject([{ id: ask.id }]);
    await requests.decide(ask, declined);
    expect(await requests.listOpen(bob, 'access', 3_000)).toEqual([]);
    expect(await requests.countSince(bob, 'access', 2_000)).toBe(0);
    expect(await requests.countSince(bob, 'access', 1_999)).toBe(1);
    for (const { actor } of others) expect(await requests.listOpen(actor, 'access', 3_000)).toHaveLength(1);
    expect(await requests.listOpen({ ...bob, userId: 'U0CAROL' }, 'access', 9_000)).toEqual([]);
  });

  test('a request is stored as it was asked, and decided once', async () => {
    const step = { label: 'Reboot VPS-10001', operation: 'reboot', input: { vps: 'VPS-10001' } };
    const details = { facts: [{ label: 'Why', value: 'on call' }], followUpStep: step };
    const required = { right: 'operate', vps: ['VPS-10001'], isAnyVpsEnough: true } as const;
    const ask = await requests.add({ ...request, required, actor: bob, details }, 1_000);
    expect(await requests.find('T1', ask.id)).toEqual(ask);
    expect(await requests.find('T2', ask.id)).toBeUndefined();
    const decided = await Promise.all([requests.decide(ask, declined), requests.decide(ask, declined)]);
    expect(decided.filter(Boolean)).toHaveLength(1);
    expect(await requests.find('T1', ask.id)).toMatchObject({ decision: declined });
    expect(await requests.listUnfinished(2_999)).toEqual([]);
    expect(await requests.listUnfinished(3_000)).toMatchObject([{ id: ask.id }]);
    await requests.deleteExpired(9_000);
    expect(await requests.listUnfinished(3_000)).toHaveLength(1);
    await requests.finish(ask.id, 3_000);
    expect(await requests.listUnfinished(3_000)).toEqual([]);
    await requests.deleteExpired(9_000);
    expect(await requests.find('T1', ask.id)).toBeUndefined();
  });

  test('a request that nobody decides in time ends once', async () => {
    const open = await requests.add({ ...request, actor: bob }, 1_000);
    const answered = await requests.add({ ...request, actor: bob }, 1_000);
    await requests.decide(answered, declined);
    expect(await requests.expireOverdue(8_999, database.db)).toEqual([]);
    expect(await requests.expireOverdue(9_000, database.db)).toMatchObject([
      { id: open.id, finishedMs: 9_000 },
    ]);
    expect(await requests.expireOverdue(9_001, database.db)).toEqual([]);
    await requests.deleteExpired(9_000);
    expect(await requests.find('T1', open.id)).toBeUndefined();
  });

  test('a grant for a time ends by itself, and leaves a lower one without an end', async () => {
    const temporary = createGrantStore(database.db, undefined, () => 5_000);
    await grant('U0ZED', 'view');
    const raised = { grantees: ['U0ZED'], right: 'admin', patterns: ['*'] } as const;
    await store.grant(change, { ...raised, expiresMs: 5_001 });
    await store.grant(change, { ...raised, expiresMs: 5_000, patterns: ['VPS-1*'] });
    const rightsOf = async () =>
      (await temporary.listGrants('T1'))
        .filter(({ grantee }) => grantee === 'U0ZED')
        .map(({ right }) => right);
    expect((await rightsOf()).sort()).toEqual(['admin', 'view']);
    await temporary.deleteExpired(5_001);
    expect(await rightsOf()).toEqual(['view']);
  });
});
