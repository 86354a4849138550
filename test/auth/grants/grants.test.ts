import { beforeEach, describe, expect, test } from 'vitest';
import type { HeldRight } from '../../../src/auth/access-decision.ts';
import { formatOwnAccess } from '../../../src/auth/grants/format-access.ts';
import { createGrantStore, type GrantStore } from '../../../src/auth/grants/grant-store.ts';
import { validateGrant } from '../../../src/auth/grants/validate-grant.ts';
import type { Right } from '../../../src/operations/define/access/right.ts';
import { startSqlite, useTestDatabase } from '../../db/test-database.ts';
import { createMemberDirectory } from '../member-directory-fixture.ts';

const change = { teamId: 'T1', changedBy: 'U0ALICE', nowMs: 1_000 };

describe('the right to reveal', () => {
  const database = useTestDatabase(startSqlite);
  let store: GrantStore;
  beforeEach(() => {
    store = createGrantStore(database.db);
  });

  const grant = (grantee: string, right: Right, pattern = '*', teamId = 'T1') =>
    store.grant({ ...change, teamId }, { grantees: [grantee], right, patterns: [pattern] });
  const list = async () =>
    (await store.listGrants('T1')).map(
      ({ grantee, pattern, right, isRevealRevoked = false }) =>
        `${grantee} ${pattern} ${right}${isRevealRevoked ? ' without reveal' : ''}`,
    );

  test('is revoked on these patterns of one grantee only', async () => {
    for (const [grantee, pattern] of [
      ['U0BOB', '*'],
      ['U0BOB', 'VPS-1'],
      ['U0CAROL', 'VPS-1'],
    ] as const)
      await grant(grantee, 'operate', pattern);
    await grant('U0BOB', 'view', 'VPS-2');
    await grant('U0BOB', 'reveal', 'VPS-3');
    await grant('U0BOB', 'operate', 'VPS-1', 'T2');
    expect(await store.revokeReveal('T1', 'U0BOB', ['VPS-1', 'VPS-2', 'VPS-3'])).toEqual([
      { pattern: 'VPS-1', right: 'reveal' },
      { pattern: 'VPS-3', right: 'reveal' },
    ]);
    expect(await store.revokeReveal('T1', 'U0BOB', ['VPS-1'])).toEqual([]);
    expect(await list()).toEqual([
      'U0BOB * operate',
      'U0BOB VPS-1 operate without reveal',
      'U0BOB VPS-2 view',
      'U0BOB VPS-3 view',
      'U0CAROL VPS-1 operate',
    ]);
    expect((await store.listGrants('T2'))[0]).not.toHaveProperty('isRevealRevoked');
    await store.revokeReveal('T1', 'U0BOB');
    expect((await list())[0]).toBe('U0BOB * operate without reveal');
  });

  test('is returned only by granting it, and only where it was granted', async () => {
    for (const pattern of ['*', 'VPS-1']) {
      await grant('U0BOB', 'operate', pattern);
      await grant('U0CAROL', 'operate', pattern);
    }
    await grant('U0BOB', 'operate', 'VPS-1', 'T2');
    for (const [teamId, grantee] of [
      ['T1', 'U0BOB'],
      ['T1', 'U0CAROL'],
      ['T2', 'U0BOB'],
    ] as const)
      await store.revokeReveal(teamId, grantee);
    expect(await grant('U0BOB', 'destroy', 'VPS-1')).toBe(true);
    expect(await list()).toContain('U0BOB VPS-1 destroy without reveal');
    expect(await grant('U0BOB', 'reveal', 'VPS-1')).toBe(true);
    expect(await grant('U0BOB', 'reveal', 'VPS-1')).toBe(false);
    expect(await list()).toEqual([
      'U0BOB * operate without reveal',
      'U0BOB VPS-1 destroy',
      'U0CAROL * operate without reveal',
      'U0CAROL VPS-1 operate without reveal',
    ]);
    expect(await store.listGrants('T2')).toMatchObject([{ isRevealRevoked: true }]);
  });
});

describe('a grant', () => {
  const directory = createMemberDirectory({
    memberTypes: { U0GONE: 'deleted', U0DAVE: 'guest', U0APP: 'bot', U0ERIN: 'external', U0DARK: 'unknown' },
    groups: { S0ONCALL: [], S0DARK: 'unknown' },
  });
  const problemsOf = async (grantee: string, right: Right = 'operate', pattern = '*') =>
    (await validateGrant('T1', { grantees: [grantee], right, patterns: [pattern] }, directory)).map(
      ({ path, message }) => `${path}: ${message}`,
    );

  test.each([
    ['U0GONE', 'has a deactivated account'],
    ['U0DAVE', "is a guest, and guests can't use Rackhand"],
    ['U0APP', "is an app, and apps can't use Rackhand"],
    ['U0ERIN', 'is not a member of this workspace'],
    ['U0DARK', "couldn't be looked up in Slack: try again in a minute"],
    ['S0DARK', "couldn't be looked up in Slack: try again in a minute"],
  ])('to %s is refused: %s', async (grantee, message) =>
    expect(await problemsOf(grantee)).toEqual([`who: @name of ${grantee} ${message}`]),
  );

  test('of admin is refused on some VPS, and to everyone', async () => {
    for (const grantee of ['U0BOB', 'S0ONCALL', 'everyone']) expect(await problemsOf(grantee)).toEqual([]);
    expect(await problemsOf('U0BOB', 'admin')).toEqual([]);
    expect(await problemsOf('U0BOB', 'admin', 'VPS-1')).toEqual([
      'vps: The admin right covers every VPS, so leave the VPS out',
    ]);
    expect(await problemsOf('everyone', 'admin')).toEqual([
      "right: The admin right can't be granted to everyone: name people or groups",
    ]);
    expect(await problemsOf('everyone', 'destroy', 'VPS-1')).toEqual([]);
  });
});

describe('the overview of access', () => {
  const own = (heldRights: readonly HeldRight[], more: object = {}) =>
    formatOwnAccess(
      { memberType: 'member', heldRights, isGroupMembershipUnknown: false, ...more },
      undefined,
    );
  const without = { isRevealRevoked: true };

  test.each<[string, readonly HeldRight[], readonly string[]]>([
    [
      'leaves out what a higher right on the same VPS includes',
      [
        { right: 'view', pattern: '*' },
        { right: 'operate', pattern: '*' },
        { right: 'view', pattern: 'VPS-1' },
        { right: 'destroy', pattern: 'VPS-2' },
        { right: 'reveal', pattern: 'VPS-2' },
      ],
      ['destroy: VPS-2', 'operate: all VPS', 'view: VPS-1'],
    ],
    [
      'keeps a lower right that reveals more',
      [
        { right: 'destroy', pattern: '*', ...without },
        { right: 'reveal', pattern: '*' },
        { right: 'view', pattern: '*' },
      ],
      ['destroy, without reveal: all VPS', 'reveal: all VPS'],
    ],
    [
      'shows the same right once, with what it reveals',
      [
        { right: 'operate', pattern: '*', ...without },
        { right: 'operate', pattern: '*' },
      ],
      ['operate: all VPS'],
    ],
  ])('%s', (_, heldRights, facts) => {
    const { title, facts: shown = [], next } = own(heldRights);
    expect(title).toBe('Your access');
    expect(shown.map(({ label, value }) => `${label}: ${String(value)}`)).toEqual(facts);
    expect(next).toMatchObject([{ operation: 'access ask' }]);
  });

  test('says that there is none, that groups are unknown, and what an owner has', () => {
    expect(own([])).toMatchObject({ title: "You don't have access yet", notes: [] });
    expect(own([], { isGroupMembershipUnknown: true }).notes).toEqual([
      expect.stringContaining("couldn't confirm which user groups"),
    ]);
    const owner = { memberType: 'admin', heldRights: [], isGroupMembershipUnknown: false } as const;
    expect(formatOwnAccess(owner, undefined)).toMatchObject({
      facts: [{ label: 'admin', value: 'everything' }],
      next: [],
    });
    const limited = formatOwnAccess(owner, 'view');
    expect(limited.facts?.at(-1)).toEqual({ label: 'In this channel', value: 'at most view' });
    expect(limited.notes?.at(-1)).toContain('To remove it');
  });
});
