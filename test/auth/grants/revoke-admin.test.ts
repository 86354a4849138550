import { describe, expect, test } from 'vitest';
import { alice, bob, useAuthOperations } from '../operations-fixture.ts';

const [carol, dave] = ['U0CAROL', 'U0DAVE'];

const listGrants = async ({ grants }: ReturnType<typeof useAuthOperations>) =>
  (await grants.listGrants('T1')).map(({ grantee, right, pattern }) => `${grantee} ${right} ${pattern}`);

/** Grants rights as the installation does. */
const grant = (
  { grants }: ReturnType<typeof useAuthOperations>,
  grantee: string,
  right: 'operate' | 'admin' = 'admin',
  pattern = '*',
) =>
  grants.grant(
    { teamId: 'T1', changedBy: null, nowMs: 1 },
    { grantees: [grantee], right, patterns: [pattern] },
  );

/** Adds a rule, so that an admin can't act alone. */
const requireApproval = ({ approvalRules }: ReturnType<typeof useAuthOperations>, teamId = 'T1') =>
  approvalRules.add(
    { teamId, userId: carol },
    { needs: 'approval', subject: 'destroy', vps: '*', channel: null, userGroup: null },
    1,
  );

const title = (names: string) => `Another admin has to approve this: Revoke all rights from ${names}`;

describe('in a workspace whose admins all have the right by a grant', () => {
  const auth = useAuthOperations({ groups: { S0LEADS: [bob, dave] } });
  const { type } = auth;

  test('the last other admin is revoked only with approval, once', async () => {
    await requireApproval(auth);
    await grant(auth, alice);
    await grant(auth, bob);
    await grant(auth, bob, 'operate', 'VPS-1*');
    expect((await type('access revoke U0BOB VPS-1*')).title).toBe('Revoked');
    expect((await type('access revoke U0BOB')).title).toBe(title('@name of U0BOB'));
    expect(await listGrants(auth)).toEqual(['U0ALICE admin *', 'U0BOB admin *']);
    const decide = (userId: string) =>
      auth.asks.decide(auth.lastToken(), {
        actor: { teamId: 'T1', userId },
        origin: {},
        verdict: 'approved',
      });
    await expect(decide(alice)).rejects.toMatchObject({ code: 'not_permitted' });
    // The card didn't name this later right.
    await auth.grants.grant(
      { teamId: 'T1', changedBy: null, nowMs: 2 },
      { grantees: [bob], right: 'view', patterns: ['VPS-2*'] },
    );
    await expect(decide(bob)).rejects.toMatchObject({ code: 'input_invalid' });
    await auth.grants.revoke('T1', bob, ['VPS-2*']);
    expect(await listGrants(auth)).toContain('U0BOB admin *');
    expect(await decide(bob)).toMatchObject({ kind: 'decided' });
    expect(await listGrants(auth)).toEqual(['U0ALICE admin *']);

    // The approval was for that grant, not for a later one.
    auth.runner.nowMs += 1;
    await type('access grant U0BOB admin');
    expect((await type('access revoke U0BOB')).title).toBe(title('@name of U0BOB'));
    expect(auth.asked).toHaveLength(2);
  });

  test('an admin is revoked at once if another one stays, or nothing needs approval', async () => {
    await requireApproval(auth, 'T2');
    for (const admin of [alice, bob, carol]) await grant(auth, admin);
    expect((await type('access revoke U0BOB')).title).toBe('Revoked');
    expect((await type('access revoke U0CAROL')).title).toBe('Revoked');
    await requireApproval(auth);
    for (const admin of [bob, carol]) await grant(auth, admin);
    expect((await type('access revoke U0BOB')).title).toBe('Revoked');
    expect((await type('access revoke U0CAROL')).title).toBe(title('@name of U0CAROL'));
    expect(await listGrants(auth)).toEqual(['U0ALICE admin *', 'U0CAROL admin *']);
  });

  test('admins who are revoked together or through their group do not count as staying', async () => {
    await requireApproval(auth);
    for (const admin of [alice, bob, carol]) await grant(auth, admin);
    expect((await type('access revoke "U0BOB U0CAROL"')).title).toBe(
      title('@name of U0BOB, @name of U0CAROL'),
    );
    await auth.grants.revoke('T1', bob);
    await auth.grants.revoke('T1', carol);
    await grant(auth, 'S0LEADS');
    expect((await type('access revoke S0LEADS')).title).toBe(title('@name of S0LEADS'));
    await grant(auth, carol);
    expect((await type('access revoke S0LEADS')).title).toBe('Revoked');
  });

  test('other rights, own rights and rights on other VPS are revoked at once', async () => {
    await requireApproval(auth);
    await grant(auth, alice);
    await grant(auth, bob);
    await grant(auth, carol, 'operate');
    expect((await type('access revoke U0CAROL')).title).toBe('Revoked');
    expect((await type('access revoke U0BOB VPS-10001')).title).toBe('Nothing to revoke');
    expect((await type('access revoke U0BOB --reveal')).title).toBe('Revoked');
    expect((await type('access revoke U0ALICE')).title).toBe('Revoked');
    expect(await listGrants(auth)).toEqual(['U0BOB admin *']);
    expect(auth.asked).toEqual([]);
  });
});

describe('in a workspace with two owners', () => {
  const auth = useAuthOperations({ admins: [alice, dave] });

  test('a granted admin is revoked at once, because an owner stays', async () => {
    await requireApproval(auth);
    await grant(auth, bob);
    await grant(auth, dave);
    expect((await auth.type('access revoke "U0BOB U0DAVE"')).title).toBe('Revoked');
    expect(await listGrants(auth)).toEqual([]);
  });
});
