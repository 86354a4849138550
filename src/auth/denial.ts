import type { Denial, RequiredAccess } from '../operations/define/access/access.ts';
import type { Right } from '../operations/define/access/right.ts';
import type { NextStep } from '../operations/define/outcome.ts';
import type { AccessDecision } from './access-decision.ts';
import type { MemberType } from './member-directory.ts';
import { allVps } from './vps-pattern.ts';

const requestLabel = 'Request Access';

/** Returns why the actor is denied and who can help. Returns undefined if access is allowed. */
export function toDenial(decision: AccessDecision, required: RequiredAccess): Denial | undefined {
  switch (decision.kind) {
    case 'allowed':
      return undefined;
    case 'nonMember':
      return denyNonMember(decision.memberType);
    case 'channelLimited':
      return {
        message: `This channel allows only "${decision.maxRight}", so no one can ${describeAct(required.right, 'a VPS')} from here.`,
        advice: "Use another channel, or the app's Home tab.",
      };
    case 'unknown':
      return {
        message: "Slack couldn't confirm which user groups you're in, so your rights are unknown.",
        advice:
          'Try again in a minute. If this keeps happening, ask an admin: the app may lack the Slack scope usergroups:read.',
        isUnknown: true,
      };
    case 'missing':
      return {
        message: `You don't have permission to ${describeDenied(required, decision.vps)}.`,
        advice: `Ask an admin for the "${required.right}" right, or press ${requestLabel}.`,
        nextSteps: [createRequestStep(required, decision.vps)],
      };
  }
}

/** Explains why a person who isn't a member of the workspace can't use Rackhand. */
export function denyNonMember(memberType: MemberType): Denial {
  if (memberType === 'unknown') {
    return {
      message: "Slack couldn't confirm who you are.",
      advice: 'Try again in a minute.',
      isUnknown: true,
    };
  }
  const advice = 'Ask a member of this workspace to do it for you.';
  return { message: nonMemberMessages[memberType] ?? nonMemberMessages.external, advice };
}

const nonMemberMessages: Partial<Record<MemberType, string>> & { readonly external: string } = {
  guest: "Guests can't use Rackhand.",
  deleted: "Deactivated accounts can't use Rackhand.",
  bot: "Apps and bots can't use Rackhand.",
  external: 'Only members of this workspace can use Rackhand.',
};

function describeDenied({ right, isAnyVpsEnough }: RequiredAccess, missing: readonly string[]): string {
  if (right === 'admin') return describeAct(right, '');
  if (missing.length > 0) return describeAct(right, missing.join(', '));
  return isAnyVpsEnough
    ? describeAct(right, 'any VPS')
    : `${describeAct(right, 'every VPS')}, as this command requires`;
}

function describeAct(right: Right, vps: string): string {
  switch (right) {
    case 'view':
    case 'operate':
      return `${right} ${vps}`;
    case 'reveal':
      return `reveal secrets of ${vps}`;
    case 'destroy':
      return `make destructive changes to ${vps}`;
    case 'admin':
      return 'administer Rackhand';
  }
}

/** Creates a step that requests the right. If the right on any VPS would be enough, the step opens the form. */
function createRequestStep({ right, isAnyVpsEnough }: RequiredAccess, missing: readonly string[]): NextStep {
  const scope = missing.length > 0 ? missing : isAnyVpsEnough ? undefined : [allVps];
  return {
    label: requestLabel,
    operation: 'access ask',
    input: { right, ...(scope && { vps: scope.join(' ') }) },
    ...(scope === undefined && { opensForm: true }),
  };
}
