import type { AskRules } from '../../asks/ask.ts';
import type { Asks } from '../../asks/asks.ts';
import { matchesPattern } from '../../operations/choices/matching/matches-pattern.ts';
import { denyUncheckedPerson, type ResolveAccess } from '../../operations/define/access/access.ts';
import { deniedProblem } from '../../runs/problem.ts';
import type { CheckRevealApproval } from '../../runs/secrets/reveal-secrets.ts';
import { allVps } from '../vps-pattern.ts';
import { type ApprovalRule, type ApprovalRuleStore, revealSubject, toRoute } from './approval-rule-store.ts';

/** The ask rules for reveals. An approval changes nothing by itself: the requester has to press Show Once again. */
export const revealRules: AskRules = {
  operation: 'reveal',
  needsAskersAccess: true,
  carryOut: async () => {},
  advice: 'Press the Show Once button again.',
};

/**
 * Creates a function that returns why a secret can't be revealed yet, or undefined if it can. A secret
 * can't be revealed if a rule requires an approval that hasn't been given.
 */
export function createRevealApprovalCheck(
  store: Pick<ApprovalRuleStore, 'list'>,
  asks: Pick<Asks, 'ask' | 'findDecision'>,
  resolveAccess: ResolveAccess,
): CheckRevealApproval {
  return async ({ actor, secretId, title, vps, expiresMs }) => {
    const rules = await store.list(actor.teamId);
    const rule = rules.find((candidate) => appliesTo(candidate, vps));
    if (!rule) return undefined;
    const request = { actor, kind: 'reveal', subject: secretId } as const;
    const required = { right: 'reveal', vps } as const;
    const decision = await asks.findDecision(request);
    if (decision?.verdict === 'approved') {
      const approver = { teamId: actor.teamId, userId: decision.by };
      const denial = (await resolveAccess(approver, {}))(required);
      if (!denial) return undefined;
      if (denial.isUnknown) return deniedProblem(denyUncheckedPerson('the person who approved this'));
      // The approver no longer has the right, so somebody else is asked.
    }
    if (decision?.verdict === 'declined')
      return deniedProblem({
        message: 'Your request to see this secret was declined.',
        advice: 'Talk to the people who can approve it.',
      });
    const result = await asks.ask({
      ...request,
      title,
      required,
      expiresMs,
      route: toRoute(rule),
    });
    switch (result.kind) {
      case 'nobody':
        return deniedProblem({
          message: 'Seeing this secret needs approval, but no one else can approve it.',
          advice: 'Ask an admin to grant someone else the "reveal" right.',
        });
      case 'unreachable':
        return deniedProblem({
          message: 'Seeing this secret needs approval, but no one who can approve it could be reached.',
          advice: 'Try again in a minute.',
        });
      case 'asked':
        return deniedProblem({
          message:
            'Seeing this secret needs approval by a second person. The people who can approve it have been asked.',
          advice: "You'll get a direct message when it's approved. Then press the Show Once button again.",
        });
    }
  };
}

function appliesTo({ subject, vps: pattern }: ApprovalRule, vps: readonly string[]): boolean {
  if (subject !== revealSubject) return false;
  return pattern === allVps || vps.length === 0 || vps.some((name) => matchesPattern(pattern, name));
}
