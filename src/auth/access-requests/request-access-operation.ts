import { RackhandError } from '../../errors.ts';
import { matchesPattern } from '../../operations/choices/matching/matches-pattern.ts';
import type { RequiredAccess } from '../../operations/define/access/access.ts';
import { findRequiredAccess } from '../../operations/define/access/required-access.ts';
import { type Right, rightOrder } from '../../operations/define/access/right.ts';
import { type ParsedInput, parseInput } from '../../operations/define/arguments/input.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import { formatTitle } from '../../operations/define/inspect-operation.ts';
import type { Catalogue, Operation, OperationContext } from '../../operations/define/operation.ts';
import type { NextStep, Outcome } from '../../operations/define/outcome.ts';
import type { Run } from '../../runs/run.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import { dayMs } from '../../time/units.ts';
import type { Authorizer } from '../authorizer.ts';
import { formatOwnAccess } from '../grants/format-access.ts';
import { patternsArgument, rightArgument } from '../grants/grant-arguments.ts';
import { labelPatterns } from '../label-patterns.ts';
import { allVps, splitList } from '../vps-pattern.ts';
import {
  type AccessRequest,
  type AccessRequestCards,
  formatRequest,
  requestTtlMs,
} from './access-request.ts';
import type { AccessRequestStore } from './access-request-store.ts';

/**
 * Which denied commands can become the follow-up step of a request: only recent ones, and at most
 * `maxDenials`.
 */
const denialMaxAgeMs = 60 * 60_000;
const maxDenials = 10;

/** Decided requests keep their place in a card, and a message has at most 50 blocks. */
const maxRequestsPerCard = 10;

/** Limits the direct messages that one request sends. */
const maxRecipients = 10;

/** How many requests a person can have open, and how many they can send in a day. */
const [maxOpenRequests, maxRequestsPerDay] = [5, 20];

interface RequestAccessDependencies {
  readonly store: AccessRequestStore;
  readonly authorizer: Authorizer;
  readonly cards: Pick<AccessRequestCards, 'send' | 'edit'>;
  readonly runs: Pick<RunStore, 'listDenied'>;
  readonly now: () => number;
}

/** Declares `access ask`: sends a request for a right to people who can grant it. */
export function createRequestAccessOperation(dependencies: RequestAccessDependencies): Operation {
  const { store, authorizer, cards, runs, now } = dependencies;

  /**
   * Asks people to grant the right, on the newest card of the person's open requests if it has room.
   * Returns how many people were asked. The actor is never asked.
   */
  async function sendCards(request: AccessRequest, open: readonly AccessRequest[]): Promise<number> {
    const { teamId, userId } = request.actor;
    const { facts = [] } = formatOwnAccess(await authorizer.findHeldRights(request.actor), undefined);
    const newest = open.at(-1);
    const shown = newest ? await store.listOnCards(newest) : [];
    const hasRoom = shown.length > 0 && shown.length < maxRequestsPerCard;
    const edited = hasRoom ? await cards.edit([...shown, request], facts) : [];
    if (edited.length > 0) {
      await store.saveCards(request.id, edited);
      return edited.length;
    }
    const admins = await authorizer.listPeopleWith(teamId, { right: 'admin', vps: [] });
    const recipients = admins.filter((person) => person !== userId).slice(0, maxRecipients);
    const sent = await Promise.all(recipients.map((person) => cards.send(request, person, facts)));
    const posted = sent.flatMap((card) => card ?? []);
    await store.saveCards(request.id, posted);
    return posted.length;
  }

  async function requestAccess(
    { actor, loadAccess, catalogue }: OperationContext,
    right: Right,
    patterns: readonly string[],
  ): Promise<Outcome> {
    if (right === 'admin' && !patterns.includes(allVps)) {
      throw new RackhandError('input_invalid', 'The right admin covers everything: leave the VPS out.');
    }
    const requested = formatRequest({ right, patterns });
    const required: RequiredAccess = { right, vps: patterns.includes(allVps) ? [] : patterns };
    if ((await loadAccess())(required) === undefined) return { title: `You already have ${requested}` };
    const notes = ["You'll get the answer in a direct message."];
    const open = await store.listOpen(actor, now() - requestTtlMs);
    if (open.some((request) => formatRequest(request) === requested)) {
      return { title: `Already requested: ${requested}`, notes };
    }
    if (open.length >= maxOpenRequests) {
      throw createLimitError(
        `You have ${maxOpenRequests} open requests. Wait until an admin has answered one.`,
      );
    }
    if ((await store.countSince(actor, now() - dayMs)) >= maxRequestsPerDay) {
      throw createLimitError(
        `You can request access ${maxRequestsPerDay} times in 24 hours. Ask an admin in person.`,
      );
    }
    const denied = await runs.listDenied(actor, now() - denialMaxAgeMs, maxDenials);
    const followUpStep = findFollowUpStep(catalogue, denied, { right, patterns }) ?? null;
    const request = await store.add(actor, { right, patterns, followUpStep }, now());
    const count = await sendCards(request, open).catch(async (error: unknown) => {
      await store.remove(request.id);
      throw error;
    });
    if (count === 0) {
      await store.remove(request.id);
      throw new RackhandError('member_unknown', 'No admin could be reached in Slack.');
    }
    return { title: `Asked ${count === 1 ? 'one admin' : `${count} admins`} for ${requested}`, notes };
  }

  return defineLocal({
    name: 'access ask',
    heading: 'Request access',
    summary: 'Ask an admin for a right',
    arguments: {
      right: rightArgument(`Each right includes the lower ones: ${rightOrder}.`),
      vps: patternsArgument(allVps),
    },
    button: 'Request',
    right: null,
    isLoggedAsChange: () => true,
    target: ({ right, vps }) => formatRequest({ right, patterns: splitList(vps) }),
    async run(context, { right, vps }): Promise<Outcome> {
      const patterns = splitList(vps);
      return labelPatterns(await requestAccess(context, right, patterns), patterns, context);
    },
  });
}

function createLimitError(message: string): RackhandError {
  return new RackhandError('input_invalid', message);
}

/**
 * Finds the newest denied run that the requested right would allow. Returns it as a step to take
 * once the right is granted.
 */
function findFollowUpStep(
  catalogue: Catalogue,
  denied: readonly Run[],
  request: Pick<AccessRequest, 'right' | 'patterns'>,
): NextStep | undefined {
  for (const run of denied) {
    const operation = catalogue.find(run.operation);
    if (!operation) continue;
    const parsed = parseInput(operation, run.input);
    const required = findRequiredAccess(operation, parsed);
    if (required && coversRequired(request, required)) return createStep(operation, run, parsed);
  }
  return undefined;
}

function coversRequired(
  { right, patterns }: Pick<AccessRequest, 'right' | 'patterns'>,
  required: RequiredAccess,
): boolean {
  if (right !== required.right) return false;
  if (patterns.includes(allVps) || required.isAnyVpsEnough) return true;
  return required.vps.some((name) => patterns.some((pattern) => matchesPattern(pattern, name)));
}

function createStep(
  operation: Operation,
  { input, displayNames, target }: Run,
  parsed: ParsedInput,
): NextStep {
  const { name, heading } = operation;
  if (parsed.kind === 'invalid') return { label: `${heading}…`, operation: name, input, opensForm: true };
  const label =
    operation.kind === 'change'
      ? formatTitle(operation, parsed.input, displayNames)
      : [heading, ...(target === null ? [] : [target])].join(': ');
  return { label, operation: name, input };
}
