import { z } from 'zod';
import type { AskRules } from '../../asks/ask.ts';
import { askOtherAdmin } from '../../asks/ask-other-admin.ts';
import type { Asks } from '../../asks/asks.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import type { ApprovalRuleStore } from '../approval-rules/approval-rule-store.ts';
import type { Authorizer } from '../authorizer.ts';
import type { MemberDirectory } from '../member-directory.ts';
import { allVps } from '../vps-pattern.ts';
import type { GrantStore } from './grant-store.ts';
import { toGranteeKind } from './grantee.ts';

export interface AdminRevocationDependencies {
  readonly store: Pick<GrantStore, 'listGrants'>;
  readonly approvalRules: Pick<ApprovalRuleStore, 'list'>;
  readonly asks: Pick<Asks, 'ask'>;
  readonly authorizer: Pick<Authorizer, 'findPeopleWith'>;
  readonly directory: Pick<MemberDirectory, 'listAdmins' | 'listGroupMembers' | 'findDisplayName'>;
  readonly now: () => number;
}

/** The rights to revoke, and who loses them. Without patterns, all rights. */
interface Revocation {
  readonly grantees: readonly string[];
  readonly patterns?: readonly string[];
}

/**
 * Returns a function that asks another admin for approval if a revocation would leave no admin
 * besides the actor. Otherwise the actor could end dual control alone. The function asks only
 * while approval rules exist. It returns undefined if the rights can be revoked at once.
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

  /** Returns whether another admin remains if these grantees lose the right. */
  async function keepsOtherAdmin({ teamId, userId }: Actor, grantees: readonly string[]): Promise<boolean> {
    const [losing, owners, { people }] = await Promise.all([
      Promise.all(grantees.map((grantee) => listPeople(teamId, grantee))),
      directory.listAdmins(teamId),
      authorizer.findPeopleWith(teamId, { right: 'admin', vps: [] }),
    ]);
    // Owners and admins of the Slack workspace keep the right.
    const kept = owners.kind === 'found' ? owners.value : [];
    const lost = new Set(losing.flat().filter((person) => !kept.includes(person)));
    return people.some((person) => person !== userId && !lost.has(person));
  }

  return async (actor: Actor, revocation: Revocation): Promise<Outcome | undefined> => {
    const { teamId, userId } = actor;
    const { grantees, patterns = [allVps] } = revocation;
    const admins = (await store.listGrants(teamId)).filter(
      ({ grantee, right, pattern }) =>
        right === 'admin' && grantee !== userId && grantees.includes(grantee) && patterns.includes(pattern),
    );
    if (admins.length === 0 || (await approvalRules.list(teamId)).length === 0) return undefined;
    const losing = admins.map(({ grantee }) => grantee);
    if (await keepsOtherAdmin(actor, losing)) return undefined;
    const names = await Promise.all(losing.map((grantee) => directory.findDisplayName(teamId, grantee)));
    const title = `Revoke the admin right from ${names.map((name) => `@${name}`).join(', ')}`;
    // Binds the approval to these grants, so that it doesn't apply to later grants to the same
    // people.
    const grantedMs = admins.map((grant) => grant.grantedMs);
    const subject = JSON.stringify({ ...revocation, grantedMs });
    return askOtherAdmin(asks, { actor, kind: 'revoke_admin', subject, title }, now());
  };
}

const revocationSchema = z.object({
  grantees: z.array(z.string()),
  patterns: z.array(z.string()).optional(),
});

/** Returns how an approved revocation is carried out. */
export function createRevokeAdminRules(store: Pick<GrantStore, 'revoke'>): AskRules {
  return {
    operation: 'access revoke',
    needsAskersAccess: true,
    async carryOut({ actor, subject }) {
      const { grantees, patterns } = revocationSchema.parse(JSON.parse(subject));
      for (const grantee of grantees) await store.revoke(actor.teamId, grantee, patterns);
    },
  };
}
