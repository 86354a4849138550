import { beforeAll, describe, expect, test } from 'vitest';
import { createRequestStore, type RequestStore } from '../../../src/workspaces/rights/request-store.ts';
import { createRights } from '../../../src/workspaces/rights/rights.ts';
import { createRightsStore, type RightsStore } from '../../../src/workspaces/rights/rights-store.ts';
import { type StartDatabase, stageDatabase } from '../../storage/stage-database.ts';
import { directoryOf } from './people.ts';

const change = { teamId: 'T1', by: 'U0ALICE', nowMs: 1_000 };
const all = { right: 'change', vps: [] } as const;
const bob = { teamId: 'T1', userId: 'U0BOB' };

/** What rights must do alike in every database. */
export function describeRights(name: string, start: StartDatabase): void {
  describe(`rights in ${name}`, () => {
    const database = stageDatabase(start);
    let store: RightsStore;
    let requests: RequestStore;
    beforeAll(async () => {
      store = createRightsStore(database.db);
      requests = createRequestStore(database.db);
    });

    const grant = (grantee: string, right: 'look' | 'change' | 'administer', pattern = '*') =>
      store.grant(change, { grantees: [grantee], right, patterns: [pattern] });

    test('a grant on the same becomes more, and never less', async () => {
      expect(await grant('U0BOB', 'look')).toBe(true);
      expect(await grant('U0BOB', 'look')).toBe(false);
      expect(await grant('U0BOB', 'change')).toBe(true);
      expect(await grant('U0BOB', 'look')).toBe(false);
      expect(await store.grants('T1')).toEqual([
        { grantee: 'U0BOB', pattern: '*', right: 'change', by: 'U0ALICE', atMs: 1_000 },
      ]);
    });

    test('a grant to several on several is one, whatever of it was held before', async () => {
      await grant('U0BOB', 'administer');
      await grant('U0BOB', 'look', 'VPS-1*');
      const given = { grantees: ['U0BOB', 'S0ONCALL'], right: 'change', patterns: ['*', 'VPS-1*'] } as const;
      expect(await store.grant(change, given)).toBe(true);
      expect(await store.grant(change, given)).toBe(false);
      expect(
        (await store.grants('T1')).map(({ grantee, pattern, right }) => [grantee, pattern, right]),
      ).toEqual([
        ['S0ONCALL', '*', 'change'],
        ['S0ONCALL', 'VPS-1*', 'change'],
        ['U0BOB', '*', 'administer'],
        ['U0BOB', 'VPS-1*', 'change'],
      ]);
    });

    test('of grants at once the highest stays', async () => {
      const wanted = ['look', 'change', 'administer', 'look', 'change'] as const;
      await Promise.all(wanted.map((right) => grant('U0BOB', right)));
      expect(await store.grants('T1')).toMatchObject([{ right: 'administer' }]);
    });

    test('is taken back on just what it was granted for, or all of it', async () => {
      await grant('U0BOB', 'look');
      await grant('U0BOB', 'change', 'VPS-1*');
      await grant('U0CAROL', 'look');
      expect(await store.revoke('T1', 'U0BOB', ['VPS-10001'])).toEqual([]);
      expect(await store.revoke('T2', 'U0BOB')).toEqual([]);
      expect(await store.revoke('T1', 'U0BOB', ['VPS-1*'])).toEqual([{ right: 'change', pattern: 'VPS-1*' }]);
      expect(await store.revoke('T1', 'U0BOB')).toEqual([{ right: 'look', pattern: '*' }]);
      expect(await store.grants('T1')).toMatchObject([{ grantee: 'U0CAROL' }]);
    });

    test('stay in their workspace', async () => {
      await grant('U0BOB', 'administer');
      await store.limit(change, { channel: 'C1', most: 'look' });
      const rights = createRights({ store, directory: directoryOf() });
      expect((await rights.access({ teamId: 'T2', userId: 'U0BOB' }, {}))(all)).toBeDefined();
      expect(await store.limitOf('T2', 'C1')).toBeUndefined();
    });

    test('come by groups and by everybody, but not by a group that Slack cannot tell of', async () => {
      const directory = directoryOf({ groups: { S0ONCALL: ['U0BOB'], S0DARK: 'unknown' } });
      const { access } = createRights({ store, directory });
      expect((await access(bob, {}))(all)?.what).toContain('You lack the right');
      await grant('S0GONE', 'change');
      await grant('S0DARK', 'change');
      expect((await access(bob, {}))(all)?.what).toContain('Slack could not say which groups');
      await grant('S0ONCALL', 'change');
      expect((await access(bob, {}))(all)).toBeUndefined();
      await store.revoke('T1', 'S0ONCALL');
      await grant('everyone', 'change');
      expect((await access(bob, {}))(all)).toBeUndefined();
    });

    test('are cut to what a channel is limited to, for owners too', async () => {
      const { access } = createRights({ store, directory: directoryOf({ admins: ['U0BOB'] }) });
      await store.limit(change, { channel: 'C1', most: 'destroy' });
      await store.limit(change, { channel: 'C1', most: 'look' });
      expect((await access(bob, { channel: 'C1' }))(all)?.what).toContain(
        'This channel is limited to “look”',
      );
      expect((await access(bob, { channel: 'C2' }))(all)).toBeUndefined();
      await store.limit(change, { channel: 'C1', most: 'administer' });
      expect(await store.limits('T1')).toEqual([]);
      expect((await access(bob, { channel: 'C1' }))(all)).toBeUndefined();
    });

    test('tell who could do something, but not who is no member any more', async () => {
      const directory = directoryOf({
        admins: ['U0ALICE'],
        groups: { S0ONCALL: ['U0DAVE', 'U0ERIN'] },
        standings: { U0ERIN: 'deleted', U0GONE: 'deleted' },
      });
      const { peopleWith } = createRights({ store, directory });
      await grant('U0BOB', 'change', 'VPS-1*');
      await grant('U0CAROL', 'look');
      await grant('U0GONE', 'administer');
      await grant('S0ONCALL', 'change');
      expect(await peopleWith('T1', all)).toEqual(['U0DAVE', 'U0ALICE']);
      expect(await peopleWith('T1', { right: 'change', vps: ['VPS-10001'] })).toEqual([
        'U0DAVE',
        'U0BOB',
        'U0ALICE',
      ]);
    });

    test('that are asked for are answered once', async () => {
      const wanted = { right: 'change', patterns: ['VPS-10001'] } as const;
      const step = { label: 'Reboot VPS-10001', operation: 'reboot', input: { vps: 'VPS-10001' } };
      const { id } = await requests.add(bob, { ...wanted, wanted: step }, 1_000);
      await requests.keepCards(id, [{ channel: 'D1', ts: '1.2' }]);
      expect(await requests.findOpen(bob, wanted, 999)).toMatchObject({
        id,
        wanted: step,
        cards: [{ channel: 'D1' }],
      });
      expect(await requests.findOpen(bob, wanted, 1_000)).toBeUndefined();
      expect(await requests.find('T2', id)).toBeUndefined();
      const takeUp = (nowMs: number, sinceMs = 0) => requests.takeUp(id, { nowMs, sinceMs });
      const taken = await Promise.all([2_000, 2_001].map((nowMs) => takeUp(nowMs)));
      expect(taken.filter(Boolean)).toHaveLength(1);
      await requests.letGo(id, 1_999);
      expect(await takeUp(2_500)).toBe(false);
      expect(await requests.findOpen(bob, wanted, 999)).toMatchObject({ id, answer: null });
      // Whoever took it up is taken to be gone.
      expect(await takeUp(3_000, 2_001)).toBe(true);
      const answer = { kind: 'granted', by: 'U0CAROL' } as const;
      expect(await requests.settle(id, answer, { takenMs: 2_000, nowMs: 3_001 })).toBe(false);
      await requests.letGo(id, 3_000);
      expect(await takeUp(4_000)).toBe(true);
      expect(await requests.settle(id, answer, { takenMs: 4_000, nowMs: 4_001 })).toBe(true);
      expect(await requests.settle(id, answer, { takenMs: 4_001, nowMs: 4_002 })).toBe(false);
      expect(await takeUp(9_000, 9_000)).toBe(false);
      expect(await requests.findOpen(bob, wanted, 999)).toBeUndefined();
      expect(await requests.find('T1', id)).toMatchObject({ answer });
    });
  });
}
