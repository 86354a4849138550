import { expect, test } from 'vitest';
import { createRecipients } from '../../src/auth/recipients.ts';
import { createMemberDirectory } from './member-directory-fixture.ts';

const memberTypes = { U0BOT: 'bot', U0GUEST: 'guest', U0GONE: 'deleted', U0NEW: 'unknown' } as const;
const groups = { S0ONCALL: ['U0BOB'], S0EMPTY: [], S0DARK: 'unknown' } as const;
const { findProblem } = createRecipients(createMemberDirectory({ memberTypes, groups }));

test.each([
  ['U0BOB', undefined],
  ['U0NEW', undefined],
  ['U0BOT', '@name of U0BOT is an app'],
  ['U0GUEST', "@name of U0GUEST isn't a member of this workspace"],
  ['U0GONE', '@name of U0GONE has left this workspace'],
  ['S0ONCALL', undefined],
  ['S0DARK', undefined],
  ['S0EMPTY', 'this user group has no members'],
  ['S0NONE', "this user group doesn't exist in Slack anymore"],
])('a ping of %s has the problem: %s', async (id, problem) => {
  expect(await findProblem('T1', id)).toBe(problem);
});
