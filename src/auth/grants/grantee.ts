import { z } from 'zod';

/** The grantee that stands for every member. Other grantees are the Slack IDs of people and user groups. */
export const everyone = 'everyone';

const personId = /^[UW][A-Z0-9]{2,}$/;
const groupId = /^S[A-Z0-9]{2,}$/;

/** Parses a grantee as typed: `@U0BOB` (a decoded mention), `U0BOB`, `S0ONCALL` or `everyone`. */
export const granteeSchema = z.string().transform((typed, context) => {
  const id = typed.replace(/^@/, '');
  if (id.toLowerCase() === everyone) return everyone;
  if (personId.test(id) || groupId.test(id)) return id;
  const message = `Slack doesn't know ${typed}: choose a person or group from its suggestions, or type everyone`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

export type GranteeKind = 'person' | 'group' | 'everyone';

export function toGranteeKind(id: string): GranteeKind {
  if (id === everyone) return 'everyone';
  return groupId.test(id) ? 'group' : 'person';
}
