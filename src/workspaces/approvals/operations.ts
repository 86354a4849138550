import { z } from 'zod';
import { RackhandError } from '../../error.ts';
import { type Argument, channelArgument, textArgument } from '../../operations/argument.ts';
import type { Catalogue } from '../../operations/catalogue.ts';
import { defineOwn, type Operation } from '../../operations/operation.ts';
import type { Outcome } from '../../operations/outcome.ts';
import { everything, vpsPattern } from '../rights/pattern.ts';
import { type ApprovalRule, type ApprovalRuleStore, approvedEffects } from './rules.ts';

interface ApprovalOperationParts {
  readonly store: ApprovalRuleStore;
  readonly now: () => number;
}

const effectWords: Readonly<Record<string, string>> = {
  change: 'every change',
  disturb: 'whatever may interrupt or lose something',
  destroy: 'whatever may lose something',
};

/** The same as they begin a line of a form. */
const effectTexts = Object.fromEntries(
  Object.entries(effectWords).map(([effect, words]) => [
    effect,
    words.charAt(0).toUpperCase() + words.slice(1),
  ]),
);

/** Rules that can be dropped by a button each. */
const mostButtons = 10;

/** Declares the operations by which a workspace says for what it wants a second person. */
export function createApprovalOperations({ store, now }: ApprovalOperationParts): readonly Operation[] {
  return [
    defineOwn({
      name: 'approval list',
      heading: 'Approvals',
      summary: 'List what a second person has to approve',
      arguments: {},
      button: 'Show',
      right: 'look',
      run: async ({ asker }) => describeRules(await store.list(asker.teamId)),
    }),

    defineOwn({
      name: 'approval require',
      heading: 'Require approval',
      summary: 'Require a second person for some operations',
      arguments: {
        what: whatArgument(),
        vps: textArgument(
          {
            label: 'VPS',
            example: 'VPS-100*',
            flag: 'vps',
            written: 'pattern',
            initial: everything,
            hint: 'A name or a pattern; * means all.',
          },
          vpsPattern,
        ),
        channel: channelArgument({
          label: 'Channel for the cards',
          example: '#ops',
          flag: 'channel',
          hint: 'Without one, those who can approve are asked in direct messages.',
        }),
      },
      button: 'Require',
      right: 'administer',
      async run({ asker, catalogue }, { what, vps, channel }) {
        requireKnown(what, catalogue);
        const rule = await store.add(asker, { what, vps, channel: channel || null }, now());
        const title = `From now on a second person approves ${inWords(rule)}`;
        return { ...describeRules(await store.list(asker.teamId)), title };
      },
    }),

    defineOwn({
      name: 'approval drop',
      heading: 'Drop an approval rule',
      summary: 'Require a second person no longer',
      arguments: {
        id: textArgument(
          {
            label: 'Rule',
            example: 'reboot',
            hint: 'Its ID, which the list of approvals shows, or what it is about where only one is.',
            takesRest: true,
          },
          z.string({ error: 'Name the rule' }).trim().min(1, { error: 'Name the rule' }).max(60),
        ),
      },
      button: 'Drop',
      right: 'administer',
      async run({ asker }, { id: named }) {
        const rule = ruleCalled(named, await store.list(asker.teamId));
        if (!(await store.remove(asker.teamId, rule.id))) throw noRule(named);
        const title = `The rule is dropped: ${inWords(rule)}`;
        return { ...describeRules(await store.list(asker.teamId)), title };
      },
    }),
  ];
}

/** Takes an effect; typed, the name of an operation too. */
function whatArgument(): Argument<string> {
  const error = 'Name what needs a second person: destroy, disturb, change, or an operation';
  return {
    label: 'What',
    example: 'destroy',
    hint: 'Typed: destroy, disturb or change, or a single operation, as in /vps approval require reboot.',
    control: { kind: 'choice', options: [...approvedEffects].reverse(), texts: effectTexts },
    required: true,
    takesRest: true,
    schema: z.string({ error }).trim().toLowerCase().min(1, { error }).max(60, { error }),
  };
}

function requireKnown(what: string, catalogue: Catalogue): void {
  if (what in effectWords || catalogue.find(what)?.kind === 'change') return;
  throw new RackhandError('input_invalid', `"${what}" is no operation that changes something.`);
}

/** Finds the rule that is meant: by its ID, or by what it is about where only one is. Throws `input_invalid` otherwise. */
function ruleCalled(named: string, rules: readonly ApprovalRule[]): ApprovalRule {
  const about = named.toLowerCase();
  const byId = rules.find(({ id }) => id === about);
  const [rule, ...others] = byId ? [byId] : rules.filter(({ what }) => what === about);
  if (!rule) throw noRule(named);
  if (others.length === 0) return rule;
  const ids = [rule, ...others].map(({ id, vps }) => `${id} (VPS ${vps === everything ? 'any' : vps})`);
  throw new RackhandError(
    'input_invalid',
    `${ids.length} rules are about "${named}": give the ID of one, ${ids.join(' or ')}.`,
  );
}

function noRule(named: string): RackhandError {
  return new RackhandError(
    'input_invalid',
    `There is no rule "${named}" here: approval list shows their IDs, and what they are about.`,
  );
}

function describeRules(rules: readonly ApprovalRule[]): Outcome {
  if (rules.length === 0) {
    const next = [{ label: 'Require Approval', operation: 'approval require', input: {}, opensForm: true }];
    return { title: 'Nothing needs a second person', next };
  }
  return {
    title: rules.length === 1 ? 'One rule' : `${rules.length} rules`,
    table: {
      columns: ['Rule', 'What', 'VPS', 'Asked in'],
      rows: rules.map(({ id, what, vps, channel }) => [
        { code: id },
        effectWords[what] ?? what,
        vps === everything ? 'any' : vps,
        channel === null ? 'direct messages' : { channel },
      ]),
    },
    next: rules
      .slice(0, mostButtons)
      .map(({ id }) => ({ label: `Drop Rule ${id}`, operation: 'approval drop', input: { id } })),
  };
}

function inWords({ what, vps }: ApprovalRule): string {
  const which = effectWords[what] ?? what;
  return vps === everything ? which : `${which} on ${vps}`;
}
