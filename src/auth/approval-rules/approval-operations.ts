import { z } from 'zod';
import type { AskRules } from '../../asks/ask.ts';
import { askOtherAdmin } from '../../asks/ask-other-admin.ts';
import type { Asks } from '../../asks/asks.ts';
import { RackhandError } from '../../errors.ts';
import { formatList } from '../../format-list.ts';
import { vpsChoices } from '../../operations/choices/sources/vps.ts';
import { includesRight, type Right } from '../../operations/define/access/right.ts';
import {
  type Argument,
  buttonSwitch,
  channelArgument,
  switchArgument,
  textArgument,
} from '../../operations/define/arguments/argument.ts';
import type { FieldProblem } from '../../operations/define/arguments/raw-input.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import { requiredRight } from '../../operations/define/inspect-operation.ts';
import type { Catalogue, Operation } from '../../operations/define/operation.ts';
import type { Outcome, Value } from '../../operations/define/outcome.ts';
import type { GrantStore } from '../grants/grant-store.ts';
import { toGranteeKind } from '../grants/grantee.ts';
import { labelPattern, labelPatterns } from '../label-patterns.ts';
import { type Recipients, recipientArgument } from '../recipients.ts';
import { allVps, boundVpsSchema, describeBinding } from '../vps-pattern.ts';
import {
  type ApprovalRule,
  type ApprovalRuleStore,
  approvableEffects,
  revealSubject,
} from './approval-rule-store.ts';

interface ApprovalOperationDependencies {
  readonly store: ApprovalRuleStore;
  readonly recipients: Pick<Recipients, 'groupChoices' | 'findProblem'>;
  readonly findChannelLimit: GrantStore['findChannelLimit'];
  readonly asks: Pick<Asks, 'ask'>;
  readonly now: () => number;
}

/** A `Map`, because people type the key: with an object, the key `constructor` would also be found. */
const effectLabels: ReadonlyMap<string, string> = new Map([
  ['change', 'every change'],
  ['disrupt', 'anything that can interrupt service or lose data'],
  ['destroy', 'anything that can lose data'],
  [revealSubject, 'seeing a secret that is shown once'],
]);

const effectOptionLabels = Object.fromEntries(
  [...effectLabels].map(([effect, words]) => [effect, capitalize(words)]),
);

const needsLabels: Readonly<Record<ApprovalRule['needs'], string>> = {
  approval: 'approval',
  breakGlass: 'approval, unless an admin breaks the glass',
  reason: 'a reason',
};

/** Maximum number of rules for which a list shows a button. */
const maxButtons = 10;

/** Declares `approval list`, `approval require` and `approval delete`. */
export function createApprovalOperations({
  store,
  recipients,
  findChannelLimit,
  asks,
  now,
}: ApprovalOperationDependencies): readonly Operation[] {
  return [
    defineLocal({
      name: 'approval list',
      heading: 'Approvals',
      summary: 'List what needs approval by a second person, or a reason',
      arguments: {},
      button: 'Show',
      right: 'view',
      async run(context) {
        const rules = await store.list(context.actor.teamId);
        return labelPatterns(formatRules(rules), toPatterns(rules), context);
      },
    }),

    defineLocal({
      name: 'approval require',
      heading: 'Require approval',
      summary: 'Require approval by a second person, or a reason',
      arguments: {
        what: subjectArgument(),
        vps: {
          ...textArgument(
            {
              label: 'VPS',
              example: 'VPS-100*',
              flag: 'vps',
              valueName: 'pattern',
              initial: allVps,
              hint: 'A name, or a pattern of VPS names. * means all.',
            },
            boundVpsSchema,
          ),
          control: { kind: 'vpsWords', source: vpsChoices },
        },
        channel: channelArgument({
          label: 'Channel for requests',
          example: '#ops',
          flag: 'channel',
          hint: 'If empty, people who can approve get a direct message.',
        }),
        group: recipientArgument(
          {
            label: 'User group',
            example: '@on-call',
            flag: 'group',
            valueName: 'who',
            hint: 'Only its members are asked. Anyone else with the right can approve too. If empty, everyone who can approve is asked.',
          },
          recipients.groupChoices,
        ),
        reason: switchArgument({
          label: 'Require a reason instead',
          flag: 'reason',
          example: 'yes',
          hint: 'Whoever makes the change says why. Nobody has to approve it.',
        }),
        breakGlass: switchArgument({
          label: 'Allow breaking the glass',
          flag: 'break-glass',
          example: 'yes',
          hint: 'If nobody is available, an admin can approve their own change with a reason. The channel and all admins are told.',
        }),
      },
      button: 'Require',
      right: 'admin',
      validate: async ({ actor }, input) => findProblems(recipients, actor.teamId, input),
      async run(context, input) {
        const { actor, catalogue } = context;
        const { what, vps, channel, group, reason, breakGlass } = input;
        assertKnownSubject(what, catalogue);
        const [problem] = await findProblems(recipients, actor.teamId, input);
        if (problem) throw new RackhandError('input_invalid', `${problem.message}.`);
        const request = {
          needs: reason ? 'reason' : breakGlass ? 'breakGlass' : 'approval',
          subject: what,
          vps,
          channel: channel || null,
          userGroup: group ?? null,
        } as const;
        const rule = await store.add(actor, request, now());
        const title = `${reason ? 'A reason' : 'Approval'} is now required for ${formatRule(rule)}`;
        const rules = await store.list(actor.teamId);
        const maxRight = channel ? await findChannelLimit(actor.teamId, channel) : undefined;
        const notes = [...describeBinding([vps]), ...warnOfLimit(maxRight, what, catalogue)];
        const outcome = { ...formatRules(rules), title, notes };
        return labelPatterns(outcome, toPatterns(rules), context);
      },
    }),

    defineLocal({
      name: 'approval delete',
      heading: 'Delete an approval rule',
      summary: 'Delete an approval rule',
      arguments: {
        id: textArgument(
          {
            label: 'Rule',
            example: 'reboot',
            hint: "The rule's ID from /vps approval list, or what it applies to, such as reboot. If several rules apply to that, give the ID.",
            takesRemainingWords: true,
          },
          z
            .string({ error: 'Say which rule, by its ID or by what it applies to' })
            .trim()
            .min(1, { error: 'Say which rule, by its ID or by what it applies to' })
            .max(60, { error: 'Use at most 60 characters' }),
        ),
        confirmed: buttonSwitch('Confirmed'),
      },
      button: 'Delete',
      right: 'admin',
      async run(context, { id: typed, confirmed }) {
        const { actor } = context;
        const rule = findRule(typed, await store.list(actor.teamId));
        // Without another admin's approval, one admin could delete the rule and then act alone.
        const request = { actor, kind: 'drop_rule', subject: rule.id } as const;
        const deletion = `Delete the ${rule.needs === 'reason' ? 'reason' : 'approval'} rule for ${formatRule(rule)}`;
        const title = await labelPattern(deletion, rule.vps, context);
        if (!confirmed)
          return {
            title: `${title}?`,
            isQuestion: true,
            notes: [
              `After that, ${rule.needs === 'reason' ? 'a reason' : 'approval'} is required only if another rule says so.`,
            ],
            next: [
              { label: 'Delete Rule', operation: 'approval delete', input: { id: rule.id, confirmed: true } },
            ],
          };
        const requested = await askOtherAdmin(asks, { ...request, title }, now());
        if (requested) return requested;
        if (!(await store.remove(actor.teamId, rule.id))) throw createUnknownRuleError(typed);
        const rules = await store.list(actor.teamId);
        const outcome = { ...formatRules(rules), title: `Rule deleted: ${formatRule(rule)}` };
        return labelPatterns(outcome, toPatterns([...rules, rule]), context);
      },
    }),
  ];
}

/** Creates the ask rules for deleting an approval rule: once the deletion is approved, the rule is deleted. */
export function createDropRuleRules(store: Pick<ApprovalRuleStore, 'remove'>): AskRules {
  return {
    operation: 'approval delete',
    needsAskersAccess: true,
    carryOut: async ({ actor, subject }) => void (await store.remove(actor.teamId, subject)),
  };
}

interface RuleInput {
  readonly what: string;
  readonly channel: string;
  readonly group?: string | undefined;
  readonly reason: boolean;
  readonly breakGlass: boolean;
}

async function findProblems(
  recipients: Pick<Recipients, 'findProblem'>,
  teamId: string,
  { what, channel, group, reason, breakGlass }: RuleInput,
): Promise<readonly FieldProblem[]> {
  if (reason && what === revealSubject)
    return [{ path: 'reason', message: "A reason can't be required for seeing a secret" }];
  if (reason && (channel || group !== undefined))
    return [
      { path: 'reason', message: 'Leave out the channel and the user group, as nobody approves a reason' },
    ];
  if (breakGlass && (reason || what === revealSubject))
    return [{ path: 'breakGlass', message: 'You can only break the glass for changes that need approval' }];
  const message = await findGroupProblem(recipients, teamId, group);
  return message === undefined ? [] : [{ path: 'group', message }];
}

/** Returns why a rule can't send its requests to a user group. */
async function findGroupProblem(
  recipients: Pick<Recipients, 'findProblem'>,
  teamId: string,
  group: string | undefined,
): Promise<string | undefined> {
  if (group === undefined) return undefined;
  const problem = await recipients.findProblem(teamId, group);
  if (problem !== undefined) return capitalize(problem);
  return toGranteeKind(group) === 'group'
    ? undefined
    : "Choose a user group: a rule can't ask a single person";
}

/** Creates an argument that accepts an effect or, in a command, the name of an operation. */
function subjectArgument(): Argument<string> {
  const error = 'Name what needs approval: destroy, disrupt, change, reveal, or an operation';
  return {
    label: 'What',
    example: 'destroy',
    hint: 'In a command, type destroy, disrupt, change, reveal, or one operation, such as /vps approval require reboot.',
    control: {
      kind: 'choice',
      options: [...approvableEffects.toReversed(), revealSubject],
      labels: effectOptionLabels,
    },
    required: true,
    takesRemainingWords: true,
    schema: z.string({ error }).trim().toLowerCase().min(1, { error }).max(60, { error }),
  };
}

function assertKnownSubject(what: string, catalogue: Catalogue): void {
  if (effectLabels.has(what) || catalogue.find(what)?.kind === 'change') return;
  throw new RackhandError('input_invalid', `"${what}" isn't an operation that changes something.`);
}

/** Returns a warning if the channel for approval cards doesn't allow the right that an approver needs. */
function warnOfLimit(maxRight: Right | undefined, what: string, catalogue: Catalogue): readonly string[] {
  const operation = catalogue.find(what);
  const needed =
    what === revealSubject ? 'reveal' : operation ? (requiredRight(operation, {}) ?? 'view') : 'destroy';
  if (maxRight === undefined || includesRight(maxRight, needed)) return [];
  return [
    `The channel for requests allows only "${maxRight}", so nobody can approve anything there that needs "${needed}". Choose another channel, or raise this one's limit.`,
  ];
}

/**
 * Finds a rule by its ID, or by its subject if no other rule has the same subject. Throws `input_invalid`
 * otherwise.
 */
function findRule(typed: string, rules: readonly ApprovalRule[]): ApprovalRule {
  const term = typed.toLowerCase();
  const byId = rules.find(({ id }) => id === term);
  const [rule, ...others] = byId ? [byId] : rules.filter(({ subject }) => subject === term);
  if (!rule) throw createUnknownRuleError(typed);
  if (others.length === 0) return rule;
  const ids = [rule, ...others].map(
    ({ id, needs, vps }) => `${id} (${needsLabels[needs]}, VPS ${vps === allVps ? 'any' : vps})`,
  );
  throw new RackhandError(
    'input_invalid',
    `${ids.length} rules apply to "${typed}": give the ID of one, ${formatList(ids, 'or')}.`,
  );
}

function createUnknownRuleError(typed: string): RackhandError {
  return new RackhandError(
    'input_invalid',
    `There's no approval rule "${typed}": run approval list to see the rules and their IDs.`,
  );
}

function formatRules(rules: readonly ApprovalRule[]): Outcome {
  if (rules.length === 0) {
    const next = [{ label: 'Require Approval', operation: 'approval require', input: {}, opensForm: true }];
    return { title: 'Nothing needs approval or a reason', next };
  }
  return {
    title: rules.length === 1 ? 'One approval rule' : `${rules.length} approval rules`,
    table: {
      columns: ['Rule', 'Needs', 'Applies to', 'VPS', 'Asked in', 'Who is asked'],
      rows: rules.map(({ id, needs, subject, vps, ...route }) => [
        { kind: 'code', code: id },
        needsLabels[needs],
        effectLabels.get(subject) ?? subject,
        vps === allVps ? 'any' : vps,
        ...(needs === 'reason' ? ['–', '–'] : formatRoute(route)),
      ]),
    },
    next: rules
      .slice(0, maxButtons)
      .map(({ id }) => ({ label: `Delete Rule ${id}`, operation: 'approval delete', input: { id } })),
  };
}

function capitalize(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function formatRule({ subject, vps }: ApprovalRule): string {
  const subjectLabel = effectLabels.get(subject) ?? subject;
  return vps === allVps ? subjectLabel : `${subjectLabel} on ${vps}`;
}

function formatRoute({ channel, userGroup }: Pick<ApprovalRule, 'channel' | 'userGroup'>): readonly Value[] {
  return [
    channel === null ? 'direct messages' : { kind: 'channel', channel },
    userGroup === null ? 'everyone who can approve' : { kind: 'userGroup', userGroup },
  ];
}

function toPatterns(rules: readonly ApprovalRule[]): readonly string[] {
  return rules.map(({ vps }) => vps);
}
