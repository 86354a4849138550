import { expect, test } from 'vitest';
import { createRevealApprovalCheck } from '../../../src/auth/approval-rules/check-reveal-approval.ts';
import { createAuthorizer } from '../../../src/auth/authorizer.ts';
import type { MemberType } from '../../../src/auth/member-directory.ts';
import { createMemberDirectory } from '../member-directory-fixture.ts';
import { alice, bob, useAuthOperations } from '../operations-fixture.ts';

const auth = useAuthOperations();

const addRule = (subject: string, vps = '*', teamId = 'T1') =>
  auth.approvalRules.add(
    { teamId, userId: alice },
    { needs: 'approval', subject, vps, channel: 'C0OPS', userGroup: null },
    1,
  );

/** Asks for a secret as Bob. Returns why it isn't shown. */
async function findProblem(
  vps: readonly string[] = ['VPS-10001'],
  userId = bob,
  aliceNow: MemberType = 'admin',
) {
  const directory = createMemberDirectory({ memberTypes: { [alice]: aliceNow } });
  const { resolveAccess } = createAuthorizer({ store: auth.grants, directory });
  const check = createRevealApprovalCheck(auth.approvalRules, auth.asks, resolveAccess);
  const problem = await check({
    actor: { teamId: 'T1', userId },
    secretId: `secret of ${vps.join(' ')}`,
    title: 'Show a password',
    vps,
    expiresMs: auth.runner.nowMs + 1_000,
  });
  return problem?.message;
}

const decide = (verdict: 'approved' | 'declined') =>
  auth.asks.decide(auth.lastToken(), {
    actor: { teamId: 'T1', userId: alice },
    origin: {},
    verdict,
  });

test('a secret needs approval if a rule covers one of its VPS', async () => {
  expect(await findProblem()).toBeUndefined();
  await addRule('destroy');
  await addRule('reveal', '*', 'T2');
  await addRule('reveal', 'VPS-2*');
  expect(await findProblem()).toBeUndefined();
  expect(await findProblem(['VPS-10001', 'VPS-20001'])).toContain('needs approval by a second person');
  expect(await findProblem([])).toContain('needs approval by a second person');
  await addRule('reveal');
  expect(await findProblem()).toContain('needs approval by a second person');
  expect(auth.asked).toMatchObject([
    { required: { vps: ['VPS-10001', 'VPS-20001'] } },
    { required: { vps: [] } },
    { required: { right: 'reveal', vps: ['VPS-10001'] }, kind: 'reveal', actor: { userId: bob } },
  ]);
});

test.each([
  ['approved', undefined],
  ['declined', 'Your request to see this secret was declined.'],
] as const)('a secret whose request was %s is shown only if it was approved', async (kind, problem) => {
  await auth.grants.grant(
    { teamId: 'T1', changedBy: null, nowMs: 1 },
    { grantees: [bob], right: 'reveal', patterns: ['*'] },
  );
  await addRule('reveal');
  await findProblem();
  expect(await decide(kind)).toMatchObject({ kind: 'decided' });
  expect(await findProblem()).toBe(problem);
});

test('an approval of somebody who has lost the right since is not used', async () => {
  await addRule('reveal');
  await findProblem();
  await auth.grants.grant(
    { teamId: 'T1', changedBy: null, nowMs: 1 },
    { grantees: [bob], right: 'reveal', patterns: ['*'] },
  );
  await decide('approved');
  expect(await findProblem(undefined, bob, 'unknown')).toBe(
    "Slack couldn't confirm that the person who approved this still has the right to do so.",
  );
  expect(await findProblem(undefined, bob, 'member')).toContain('needs approval by a second person');
  expect(auth.asked).toHaveLength(2);
});

test('a secret is not shown if nobody else could approve it', async () => {
  await addRule('reveal');
  expect(await findProblem(['VPS-10001'], alice)).toBe(
    'Seeing this secret needs approval, but no one else can approve it.',
  );
});
