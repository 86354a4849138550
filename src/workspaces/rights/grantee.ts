import { z } from 'zod';

/** Whoever a right can be granted to: a person or a user group, by the id that Slack gave, or every member. */
export const everyone = 'everyone';

const personId = /^[UW][A-Z0-9]{2,}$/;
const groupId = /^S[A-Z0-9]{2,}$/;

/** How one is written: `@U0BOB` as a mention arrives, `U0BOB`, `S0ONCALL`, `everyone`. */
export const grantee = z.string().transform((written, context) => {
  const id = written.replace(/^@/, '');
  if (id.toLowerCase() === everyone) return everyone;
  if (personId.test(id) || groupId.test(id)) return id;
  const message = `Slack does not know ${written} here: choose a person or a group as Slack offers them, or write everyone`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

export type GranteeKind = 'person' | 'group' | 'everyone';

/** Tells of what kind a grantee is. */
export function kindOf(id: string): GranteeKind {
  if (id === everyone) return 'everyone';
  return groupId.test(id) ? 'group' : 'person';
}
