import { expect, onTestFinished, test } from 'vitest';
import { createAuthorizer } from '../../src/auth/authorizer.ts';
import { createCreatorCheck } from '../../src/auth/creator-standing.ts';
import { createGrantStore } from '../../src/auth/grants/grant-store.ts';
import { openDatabase } from '../../src/db/engines/database.ts';
import { createMemberDirectory } from './member-directory-fixture.ts';

test.each([
  ['U0ALICE', ['VPS-1', 'VPS-9'], 'allowed'],
  ['U0BOB', ['VPS-1'], 'allowed'],
  ['U0BOB', [], 'allowed'],
  ['U0BOB', ['VPS-1', 'VPS-9'], 'denied'],
  ['U0CAROL', [], 'denied'],
  ['U0GONE', ['VPS-1'], 'left'],
  ['erased', ['VPS-1'], 'left'],
  ['U0GUEST', [], 'left'],
  ['U0UNKNOWN', ['VPS-1'], 'unknown'],
  // Can be in a group of which Slack doesn't list the members.
  ['U0CAROL', ['VPS-7'], 'unknown'],
] as const)('the standing of %s on %j is %s', async (userId, vps, standing) => {
  const { db, close } = await openDatabase('sqlite::memory:');
  onTestFinished(close);
  const store = createGrantStore(db);
  const teamId = 'T1';
  const grant = (grantee: string, pattern: string) =>
    store.grant(
      { teamId, changedBy: null, nowMs: 1 },
      { grantees: [grantee], right: 'view', patterns: [pattern] },
    );
  await grant('U0BOB', 'VPS-1');
  if (vps.some((one) => one === 'VPS-7')) await grant('S0UNKNOWN', 'VPS-7');
  const directory = createMemberDirectory({
    admins: ['U0ALICE'],
    memberTypes: { U0GONE: 'deleted', U0GUEST: 'guest', U0UNKNOWN: 'unknown', erased: 'unknown' },
    groups: { S0UNKNOWN: 'unknown' },
  });
  const findStanding = createCreatorCheck(createAuthorizer({ store, directory }));
  expect(await findStanding({ teamId, userId }, vps)).toBe(standing);
});
