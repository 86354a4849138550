import { z } from 'zod';
import type { AskRules } from '../../asks/ask.ts';
import { askOtherAdmin } from '../../asks/ask-other-admin.ts';
import type { Asks } from '../../asks/asks.ts';
import { RackhandError } from '../../errors.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import type { ApprovalRuleStore } from '../approval-rules/approval-rule-store.ts';
import type { Authorizer } from '../authorizer.ts';
import type { MemberDirectory } from '../member-directory.ts';
import { allVps } from '../vps-pattern.ts';
import type { Grant, GrantStore } from './grant-store.ts';
import { toGranteeKind } from './grantee.ts';

export interface AdminRevocationDependencies {
  readonly store: Pick<GrantStore, 'listGrants'>;
  readonly approvalRules: Pick<ApprovalRuleStore, 'list'>;
  readonly asks: Pick<Asks, 'ask'>;
  readonly authorizer: Pick<Authorizer, 'findPeopleWith'>;
  readonly directory: Pick<MemberDirectory, 'listAdmins' | 'listGroupMembers' | 'findDisplayName'>;
  readonly now: () => number;
}

/** The rights to revoke, and the grantees who lose them. If there are no patterns, all rights are revoked. */
interface Revocation {
  readonly grantees: readonly string[];
  readonly patterns?: readonly string[] | undefined;
}

/**
 * Returns a function that asks another admin for approval if a revocation would leave no admin besides the
 * actor, who could otherwise end dual control alone. It asks only if there are approval rules. It returns
 * undefined if the rights can be revoked at once.
 */
export function createAdminRevocation({
  store,
  approvalRules,
  asks,
  authorizer,
  directory,
  now,
}: AdminRevocationDependencies) {
  async function listPeople(teamId: string, grantee: string): Promise<readonly string[]> {
    if (toGranteeKind(grantee) !== 'group') return [grantee];
    const members = await directory.listGroupMembers(teamId, grantee);
    return members.kind === 'found' ? [...members.value] : [];
  }

  /** Returns whether there is still another admin if these grantees lose the right. */
  async function keepsOtherAdmin({ teamId, userId }: Actor, grantees: readonly string[]): Promise<boolean> {
    const [losing, owners, { people }] = await Promise.all([
      Promise.all(grantees.map((grantee) => listPeople(teamId, grantee))),
      directory.listAdmins(teamId),
      authorizer.findPeopleWith(teamId, { right: 'admin', vps: [] }),
    ]);
    // Owners and admins of the Slack workspace always keep the right.
    const kept = owners.kind === 'found' ? owners.value : [];
    const lost = new Set(losing.flat().filter((person) => !kept.includes(person)));
    return people.some((person) => person !== userId && !lost.has(person));
  }

  return async (actor: Actor, revocation: Revocation): Promise<Outcome | undefined> => {
    const { teamId, userId } = actor;
    const { grantees, patterns } = revocation;
    const affected = (await store.listGrants(teamId)).filter((grant) => isAffected(grant, revocation));
    const admins = affected.filter(
      ({ grantee, right, pattern }) =>
        right === 'admin' && grantee !== userId && (patterns ?? [allVps]).includes(pattern),
    );
    if (admins.length === 0 || (await approvalRules.list(teamId)).length === 0) return undefined;
    const losing = admins.map(({ grantee }) => grantee);
    if (await keepsOtherAdmin(actor, losing)) return undefined;
    const names = await Promise.all(grantees.map((grantee) => directory.findDisplayName(teamId, grantee)));
    const everyone = names.map((name) => `@${name}`).join(', ');
    const title = patterns ? `Revoke the admin right from ${everyone}` : `Revoke all rights from ${everyone}`;
    const subject = JSON.stringify({ ...revocation, grantedMs: affected.map((grant) => grant.grantedMs) });
    return askOtherAdmin(asks, { actor, kind: 'revoke_admin', subject, title }, now());
  };
}

const isAffected = ({ grantee, pattern }: Grant, { grantees, patterns }: Revocation) =>
  grantees.includes(grantee) && (patterns?.includes(pattern) ?? true);

const revocationSchema = z.object({
  grantees: z.array(z.string()),
  patterns: z.array(z.string()).optional(),
  /** When the rights were granted (epoch ms). The approval doesn't cover later grants to the same people. */
  grantedMs: z.array(z.number()),
});

/** Creates the ask rules for revoking admin rights: once the revocation is approved, the rights are revoked. */
export function createRevokeAdminRules(store: Pick<GrantStore, 'listGrants' | 'revoke'>): AskRules {
  return {
    operation: 'access revoke',
    needsAskersAccess: true,
    async carryOut({ actor: { teamId }, subject }) {
      const revocation = revocationSchema.parse(JSON.parse(subject));
      const affected = (await store.listGrants(teamId)).filter((grant) => isAffected(grant, revocation));
      if (affected.some(({ grantedMs }) => !revocation.grantedMs.includes(grantedMs)))
        throw new RackhandError('input_invalid', 'These rights have changed since the request.');
      for (const grantee of revocation.grantees) await store.revoke(teamId, grantee, revocation.patterns);
    },
  };
}
