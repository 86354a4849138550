import type { Asks } from '../../asks/asks.ts';
import { RackhandError } from '../../errors.ts';
import { rightOrder } from '../../operations/define/access/right.ts';
import { buttonSwitch, channelArgument, switchArgument } from '../../operations/define/arguments/argument.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import type { Operation } from '../../operations/define/operation.ts';
import type { Fact } from '../../operations/define/outcome.ts';
import { parseDurationMs } from '../../time/duration.ts';
import type { ApprovalRuleStore } from '../approval-rules/approval-rule-store.ts';
import type { Authorizer } from '../authorizer.ts';
import { labelPatterns } from '../label-patterns.ts';
import type { MemberDirectory } from '../member-directory.ts';
import type { Recipients } from '../recipients.ts';
import { allVps, describeBinding, formatScope, splitList } from '../vps-pattern.ts';
import {
  formatAccess,
  formatHeldRight,
  formatOwnAccess,
  toGranteeValue,
  toRevokeSteps,
} from './format-access.ts';
import { granteesArgument, lengthArgument, patternsArgument, rightArgument } from './grant-arguments.ts';
import type { GrantStore } from './grant-store.ts';
import { toGranteeKind } from './grantee.ts';
import { createAdminRevocation } from './revoke-admin.ts';
import { validateGrant } from './validate-grant.ts';

export interface AccessOperationDependencies {
  readonly store: GrantStore;
  readonly authorizer: Authorizer;
  readonly directory: MemberDirectory;
  readonly recipients: Pick<Recipients, 'granteeChoices'>;
  readonly approvalRules: Pick<ApprovalRuleStore, 'list'>;
  readonly asks: Pick<Asks, 'ask'>;
  readonly now?: () => number;
}

const showStep = { label: 'Show Access', operation: 'access', input: {} };

/** Declares `access`, `access grant`, `access revoke` and `access channel`, which show and change rights. */
export function createAccessOperations(dependencies: AccessOperationDependencies): readonly Operation[] {
  const { store, authorizer, directory, recipients, now = Date.now } = dependencies;
  const askBeforeRevokingAdmin = createAdminRevocation({ ...dependencies, now });

  const show = defineLocal({
    name: 'access',
    heading: 'Access',
    summary: 'Show and change who has access',
    arguments: {},
    button: 'Show',
    right: null,
    async run(context) {
      const { actor, loadAccess } = context;
      const { channel } = context.origin;
      const { teamId } = actor;
      const isAdmin = (await loadAccess())({ right: 'admin', vps: [] }) === undefined;
      if (isAdmin) {
        const grants = await store.listGrants(teamId);
        const revokeSteps = await toRevokeSteps(grants, async (id) =>
          toGranteeKind(id) === 'everyone'
            ? 'every member'
            : `@${await directory.findDisplayName(teamId, id)}`,
        );
        const outcome = formatAccess(grants, await store.listChannelLimits(teamId), revokeSteps);
        return labelPatterns(outcome, toPatterns(grants), context);
      }
      const maxRight = channel === undefined ? undefined : await store.findChannelLimit(teamId, channel);
      const held = await authorizer.findHeldRights(actor);
      return labelPatterns(formatOwnAccess(held, maxRight), toPatterns(held.heldRights), context);
    },
  });

  const grant = defineLocal({
    name: 'access grant',
    heading: 'Grant a right',
    summary: 'Grant a right to people, user groups, or every member',
    arguments: {
      who: granteesArgument(recipients.granteeChoices),
      right: rightArgument({ hint: `Each right includes the lower ones: ${rightOrder}.` }),
      vps: patternsArgument(allVps),
      for: lengthArgument,
    },
    button: 'Grant',
    right: 'admin',
    target: ({ who, right, vps, for: length }) =>
      [`${right} on ${formatScope(splitList(vps))} for ${who}`, ...(length ? [length] : [])].join(', '),
    validate: ({ actor: { teamId } }, { who, right, vps }) =>
      validateGrant(teamId, { grantees: splitList(who), right, patterns: splitList(vps) }, directory),
    async run(context, { who, right, vps, for: length }) {
      const { teamId, userId } = context.actor;
      const [grantees, patterns] = [splitList(who), splitList(vps)];
      const nowMs = now();
      const lengthMs = parseDurationMs(length);
      const expiresMs = lengthMs === undefined ? undefined : nowMs + lengthMs;
      const change = { teamId, changedBy: userId, nowMs };
      const isAnyRaised = await store.grant(change, { grantees, right, patterns, expiresMs });
      const facts = [
        ...grantees.map((grantee): Fact => ({ label: 'To', value: toGranteeValue(grantee) })),
        ...(expiresMs === undefined
          ? []
          : [{ label: 'Until', value: { kind: 'time', timeMs: expiresMs } as const }]),
      ];
      const granted = `${right} on ${formatScope(patterns)}`;
      const title = isAnyRaised
        ? `Granted: ${granted}`
        : `They already have this right, or a higher one: ${granted}`;
      const undo = { label: 'Revoke', operation: 'access revoke', input: { who, vps } };
      const outcome = { title, facts, notes: describeBinding(patterns), next: [undo, showStep] };
      return labelPatterns(outcome, patterns, context);
    },
  });

  const revoke = defineLocal({
    name: 'access revoke',
    heading: 'Revoke a right',
    summary: 'Revoke rights on some VPS, or all rights',
    arguments: {
      who: granteesArgument(recipients.granteeChoices),
      vps: patternsArgument(''),
      reveal: switchArgument({
        label: 'Only the right to reveal secrets',
        flag: 'reveal',
        example: 'yes',
        hint: 'Keeps the other rights.',
      }),
      asksFirst: buttonSwitch('Ask first'),
    },
    button: 'Revoke',
    right: 'admin',
    target({ who, vps, reveal }) {
      const revoked = reveal ? 'reveal' : vps === '' ? 'all rights' : 'rights';
      return vps === '' ? `${revoked} of ${who}` : `${revoked} on ${formatScope(splitList(vps))} of ${who}`;
    },
    async run(context, { who, vps, reveal, asksFirst }) {
      const { actor } = context;
      const { teamId } = actor;
      const grantees = splitList(who);
      const named = vps === '' ? undefined : splitList(vps);
      if (asksFirst) {
        const lost = (await store.listGrants(teamId)).filter(
          ({ grantee, pattern }) => grantees.includes(grantee) && (named?.includes(pattern) ?? true),
        );
        const facts = [
          ...grantees.map((grantee): Fact => ({ label: 'From', value: toGranteeValue(grantee) })),
          ...lost.map(({ pattern, ...held }) => ({
            label: formatHeldRight(held),
            value: formatScope([pattern]),
          })),
        ];
        const next = [{ label: 'Revoke', operation: 'access revoke', input: { who, vps, reveal } }];
        const question = { title: 'Revoke this access?', isQuestion: true, facts, next } as const;
        return labelPatterns(question, toPatterns(lost), context);
      }
      const requested =
        !reveal && (await askBeforeRevokingAdmin(actor, { grantees, ...(named && { patterns: named }) }));
      if (requested) return requested;
      const facts: Fact[] = [];
      const patterns: string[] = [];
      for (const grantee of grantees) {
        const revokeFrom = reveal ? store.revokeReveal : store.revoke;
        const revoked = await revokeFrom(teamId, grantee, named);
        patterns.push(...toPatterns(revoked));
        facts.push({ label: 'From', value: toGranteeValue(grantee) });
        facts.push(
          ...revoked.map(({ right, pattern }): Fact => ({ label: right, value: formatScope([pattern]) })),
        );
      }
      const title = patterns.length > 0 ? 'Revoked' : 'Nothing to revoke';
      const hint = 'Give the VPS or pattern exactly as it was granted.';
      const notes = patterns.length > 0 ? [] : [hint];
      return labelPatterns({ title, facts, notes, next: [showStep] }, patterns, context);
    },
  });

  const limit = defineLocal({
    name: 'access channel',
    heading: 'Limit a channel',
    summary: 'Limit what anyone can do in a channel',
    arguments: {
      channel: { ...channelArgument({ label: 'Channel', example: '#ops' }), required: true },
      right: rightArgument({
        hint: 'The highest right that can be used in the channel. admin removes the limit.',
        labels: { admin: 'admin: no limit' },
      }),
    },
    button: 'Limit',
    right: 'admin',
    target: ({ channel, right }) => `${channel}: at most ${right}`,
    async run({ actor: { teamId, userId } }, { channel, right: maxRight }) {
      if (!/^[CG]/.test(channel)) throw createInputError(['Name a channel, such as #ops']);
      await store.setChannelLimit({ teamId, changedBy: userId, nowMs: now() }, { channel, maxRight });
      const title =
        maxRight === 'admin' ? 'The limit was removed' : `The channel is limited to "${maxRight}"`;
      return { title, facts: [{ label: 'Channel', value: { kind: 'channel', channel } }], next: [showStep] };
    },
  });

  return [show, grant, revoke, limit];
}

function createInputError(messages: readonly string[]): RackhandError {
  return new RackhandError('input_invalid', `${messages.join('. ')}.`);
}

function toPatterns(rights: readonly { readonly pattern: string }[]): readonly string[] {
  return rights.map(({ pattern }) => pattern);
}
