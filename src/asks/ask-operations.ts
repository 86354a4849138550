import { z } from 'zod';
import { RackhandError } from '../errors.ts';
import { type Argument, textArgument } from '../operations/define/arguments/argument.ts';
import { optionalArgument } from '../operations/define/arguments/optional-argument.ts';
import type { FieldProblem } from '../operations/define/arguments/raw-input.ts';
import { maxReasonChars } from '../operations/define/arguments/reason.ts';
import { defineLocal } from '../operations/define/define-operation.ts';
import type { Operation } from '../operations/define/operation.ts';
import type { NextStep, Outcome } from '../operations/define/outcome.ts';
import type { Ask, Narrowing } from './ask.ts';
import { toAskToken } from './ask-token.ts';
import type { Asks, DecideResult } from './asks.ts';

const goneTitle = 'This was already decided, or has expired';
const [approveName, declineName] = ['request approve', 'request decline'];
const breakGlassName = 'request break-glass';

/** A request's ID, or a token that also identifies the request's subject. Only buttons set this argument. */
const request: Argument<string> = {
  ...textArgument({ label: 'Request', example: 'ID' }, z.string().max(100)),
  isSetByButtons: true,
};

interface AskOperationsDependencies {
  readonly asks: Asks;
  /** The fields of the **Approve Less** form. */
  readonly narrowing: { readonly vps: Argument<string>; readonly for: Argument<string> };
}

/** Set by **Approve Less**, so submitting the form empty doesn't approve everything. */
const part = {
  ...optionalArgument({ label: 'Part', example: 'yes' }, z.string().max(3)),
  isSetByButtons: true,
} as const;

const reason: Argument<string> = {
  ...textArgument(
    { label: 'Reason', example: 'web-01 is down, and nobody else answers' },
    z
      .string({ error: 'Give a reason' })
      .trim()
      .min(1, { error: 'Give a reason' })
      .max(maxReasonChars, { error: `Use at most ${maxReasonChars} characters` }),
  ),
  hint: 'The channel and all admins will see this reason.',
};

/** Defines the operations behind the buttons on a request's card. Nobody types them. */
export function createAskOperations({ asks, narrowing }: AskOperationsDependencies): readonly Operation[] {
  return [
    defineLocal({
      name: approveName,
      heading: 'Approve a request',
      summary: 'Approve a request, or a part of it',
      arguments: { request, part, ...narrowing },
      button: 'Approve',
      right: null,
      async validate({ actor }, input): Promise<readonly FieldProblem[]> {
        const less = toNarrowing(input);
        if (!less)
          return input.part ? [{ path: 'vps', message: 'Enter fewer VPS, or limit the time below.' }] : [];
        const ask = await asks.findOpen(actor.teamId, input.request);
        if (!ask) return [];
        try {
          asks.narrow(ask, less);
          return [];
        } catch (error) {
          if (error instanceof RackhandError) return [{ path: 'vps', message: error.message }];
          throw error;
        }
      },
      async run({ actor, origin }, input) {
        const less = toNarrowing(input);
        const decision = { actor, origin, verdict: 'approved', less } as const;
        return toOutcome('Approved', await asks.decide(input.request, decision));
      },
    }),
    defineLocal({
      name: declineName,
      heading: 'Decline a request',
      summary: 'Decline a request, or withdraw your own',
      arguments: { request },
      button: 'Decline',
      right: null,
      async run({ actor, origin }, input) {
        const result = await asks.decide(input.request, { actor, origin, verdict: 'declined' });
        return toOutcome(result.kind === 'decided' && result.isWithdrawn ? 'Withdrawn' : 'Declined', result);
      },
    }),
    defineLocal({
      name: breakGlassName,
      heading: 'Break the glass',
      summary: 'Approve your own change without a second person',
      arguments: { request, reason },
      button: 'Break Glass',
      right: null,
      async run({ actor, origin }, input) {
        const decision = { actor, origin, verdict: 'approved', breakGlassReason: input.reason } as const;
        return toOutcome('Broke the glass', await asks.decide(input.request, decision));
      },
    }),
  ];
}

/** Returns the buttons on a request's card. */
export function toDecisionSteps(ask: Pick<Ask, 'id' | 'subject' | 'details'>): readonly NextStep[] {
  const input = { request: toAskToken(ask) };
  const less = {
    label: 'Approve Less…',
    operation: approveName,
    input: { ...input, part: 'yes' },
    opensForm: true,
  };
  return [
    {
      label: ask.details.button ? `Approve ${ask.details.button}` : 'Approve',
      operation: approveName,
      input,
    },
    ...(ask.details.canBeNarrowed ? [less] : []),
    { label: 'Decline', operation: declineName, input },
  ];
}

/** Returns the button that lets an admin approve their own request, if the rule allows that. */
export function toBreakGlassSteps(ask: Pick<Ask, 'id' | 'subject' | 'details'>): readonly NextStep[] {
  if (!ask.details.breakGlass) return [];
  const input = { request: toAskToken(ask) };
  return [{ label: 'Break Glass…', operation: breakGlassName, input, opensForm: true }];
}

export function toWithdrawStep(id: string): NextStep {
  return { label: 'Withdraw Request', operation: declineName, input: { request: id } };
}

function toNarrowing({ vps = '', for: length = '' }: Partial<Narrowing>): Narrowing | undefined {
  return vps === '' && length === '' ? undefined : { vps, for: length };
}

function toOutcome(word: string, result: DecideResult): Outcome {
  if (result.kind === 'gone') return { title: goneTitle };
  return { title: `${word}: ${result.ask.title}` };
}
