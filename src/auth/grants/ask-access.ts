import { z } from 'zod';
import type { AskRules } from '../../asks/ask.ts';
import { toWithdrawStep } from '../../asks/ask-operations.ts';
import type { AskStore } from '../../asks/ask-store.ts';
import type { Asks } from '../../asks/asks.ts';
import { RackhandError } from '../../errors.ts';
import { matchesPattern } from '../../operations/choices/matching/matches-pattern.ts';
import type { RequiredAccess } from '../../operations/define/access/access.ts';
import { findRequiredAccess } from '../../operations/define/access/required-access.ts';
import { rightOrder, rights } from '../../operations/define/access/right.ts';
import { type ParsedInput, parseInput } from '../../operations/define/arguments/input.ts';
import { optionalArgument } from '../../operations/define/arguments/optional-argument.ts';
import { maxReasonChars } from '../../operations/define/arguments/reason.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import { formatTitle } from '../../operations/define/inspect-operation.ts';
import type { Catalogue, Operation, OperationContext } from '../../operations/define/operation.ts';
import type { Fact, NextStep, Outcome } from '../../operations/define/outcome.ts';
import type { Run } from '../../runs/run.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import { parseDurationMs } from '../../time/duration.ts';
import { dayMs } from '../../time/units.ts';
import type { Authorizer } from '../authorizer.ts';
import { labelPatterns } from '../label-patterns.ts';
import type { MemberDirectory } from '../member-directory.ts';
import { allVps, formatScope, splitList } from '../vps-pattern.ts';
import { formatOwnAccess } from './format-access.ts';
import { lengthArgument, patternsArgument, rightArgument } from './grant-arguments.ts';
import type { GrantStore } from './grant-store.ts';
import { validateGrant } from './validate-grant.ts';

/** How long a request stays open, in ms. */
const requestTtlMs = 7 * dayMs;

/**
 * Maximum age (ms) of a denied command that can become a request's follow-up step. At most `maxDenials`
 * are considered.
 */
const denialMaxAgeMs = 60 * 60_000;
const maxDenials = 10;

/** Maximum number of requests that a person can have open at once, and that a person can send in a day. */
const [maxOpenRequests, maxRequestsPerDay] = [5, 20];

interface AskAccessDependencies {
  readonly asks: Pick<Asks, 'ask'>;
  readonly store: Pick<AskStore, 'listOpen' | 'countSince'>;
  readonly authorizer: Pick<Authorizer, 'findHeldRights'>;
  readonly runs: Pick<RunStore, 'listDenied'>;
  readonly now: () => number;
}

/** The requested right, the VPS it applies to, and its duration (`8h`, or empty for no expiry). */
const requestedAccessSchema = z.object({
  right: z.enum(rights),
  patterns: z.array(z.string()).readonly(),
  for: z.string(),
});

type RequestedAccess = Readonly<z.infer<typeof requestedAccessSchema>>;

const whyArgument = optionalArgument(
  { label: 'Reason', example: '"on call this week"', flag: 'reason', hint: 'The admins who decide see it.' },
  z
    .string()
    .trim()
    .max(maxReasonChars, { error: `Use at most ${maxReasonChars} characters` }),
);

/** Declares `access ask`: sends a request for a right to people who can grant it. */
export function createAskAccessOperation(dependencies: AskAccessDependencies): Operation {
  const { asks, store, authorizer, runs, now } = dependencies;

  /** Returns facts that help an admin decide: the reason, the denied command, and the person's current access. */
  async function describeAsker(
    { actor }: OperationContext,
    followUpStep: NextStep | undefined,
    reason: string | undefined,
  ): Promise<readonly Fact[]> {
    const { facts: held = [] } = formatOwnAccess(await authorizer.findHeldRights(actor), undefined);
    const current = held.map(({ label, value }) =>
      typeof value === 'string' ? `${label} on ${value}` : label,
    );
    return [
      ...(reason === undefined ? [] : [{ label: 'Why', value: reason }]),
      ...(followUpStep ? [{ label: 'Denied before', value: followUpStep.label }] : []),
      { label: 'Current access', value: current.length > 0 ? current.join(', ') : 'none' },
    ];
  }

  async function assertFewRequests({ actor }: OperationContext): Promise<void> {
    const open = await store.listOpen(actor, 'access', now());
    if (open.length >= maxOpenRequests)
      throw createInputError(
        `You have ${maxOpenRequests} open requests. Wait until an admin has answered one, or withdraw one.`,
      );
    if ((await store.countSince(actor, 'access', now() - dayMs)) >= maxRequestsPerDay)
      throw createInputError(
        `You've requested access ${maxRequestsPerDay} times in 24 hours. Ask an admin in person.`,
      );
  }

  async function requestAccess(
    context: OperationContext,
    access: RequestedAccess,
    reason: string | undefined,
  ): Promise<Outcome> {
    const { actor, loadAccess, catalogue } = context;
    const { right, patterns } = access;
    if (right === 'admin' && !patterns.includes(allVps))
      throw createInputError('The admin right covers every VPS, so leave the VPS out.');
    const title = formatAccess(access);
    const required: RequiredAccess = { right, vps: patterns.includes(allVps) ? [] : patterns };
    if ((await loadAccess())(required) === undefined) return { title: `You already have ${title}` };
    const subject = JSON.stringify(access);
    const isNew = !(await store.listOpen(actor, 'access', now())).some((open) => open.subject === subject);
    if (isNew) await assertFewRequests(context);
    const denied = await runs.listDenied(actor, now() - denialMaxAgeMs, maxDenials);
    const followUpStep = findFollowUpStep(catalogue, denied, access);
    const asked = await asks.ask({
      actor,
      kind: 'access',
      subject,
      title,
      details: { facts: await describeAsker(context, followUpStep, reason), followUpStep },
      required: { right: 'admin', vps: [] },
      route: { channel: null },
      expiresMs: now() + requestTtlMs,
    });
    switch (asked.kind) {
      case 'asked': {
        const admins = asked.count === 1 ? 'one admin' : `${asked.count} admins`;
        return {
          title: isNew ? `Asked ${admins} for ${title}` : `Already requested: ${title}`,
          notes: ["You'll get the answer in a direct message."],
          next: [toWithdrawStep(asked.id)],
        };
      }
      default:
        throw new RackhandError('member_unknown', 'No admin could be reached in Slack.');
    }
  }

  return defineLocal({
    name: 'access ask',
    heading: 'Request access',
    summary: 'Ask an admin for a right',
    arguments: {
      right: rightArgument({ hint: `Each right includes the lower ones: ${rightOrder}.` }),
      vps: patternsArgument(allVps),
      for: lengthArgument,
      reason: whyArgument,
    },
    button: 'Request',
    right: null,
    isLoggedAsChange: () => true,
    target: ({ right, vps, for: length }) => formatAccess({ right, patterns: splitList(vps), for: length }),
    async run(context, { right, vps, for: length, reason }): Promise<Outcome> {
      const patterns = splitList(vps);
      const access = { right, patterns, for: length };
      return labelPatterns(await requestAccess(context, access, reason), patterns, context);
    },
  });
}

/** Creates the ask rules for requested rights: once a request is approved, the right is granted. */
export function createAccessAskRules(store: Pick<GrantStore, 'grant'>, directory: MemberDirectory): AskRules {
  return {
    operation: 'access grant',
    needsAskersAccess: false,
    async carryOut({ actor: { teamId, userId }, subject, decision }) {
      if (!decision) return;
      const { right, patterns, for: length } = requestedAccessSchema.parse(JSON.parse(subject));
      const grant = { grantees: [userId], right, patterns };
      const [problem] = await validateGrant(teamId, grant, directory);
      if (problem) throw createInputError(`${problem.message}.`);
      const lengthMs = parseDurationMs(length);
      const expiresMs = lengthMs === undefined ? undefined : decision.atMs + lengthMs;
      await store.grant({ teamId, changedBy: decision.by, nowMs: decision.atMs }, { ...grant, expiresMs });
    },
    findRisk({ subject }) {
      const { right } = requestedAccessSchema.parse(JSON.parse(subject));
      if (right === 'admin') return 'An admin can do everything, and grant rights to other people.';
      return right === 'destroy' ? 'The destroy right allows deleting data for good.' : undefined;
    },
    narrow({ subject }, less) {
      const asked = requestedAccessSchema.parse(JSON.parse(subject));
      const patterns = less.vps === '' ? asked.patterns : splitList(less.vps);
      if (asked.right === 'admin' && less.vps !== '' && !patterns.includes(allVps))
        throw createInputError('The admin right covers every VPS, so leave the VPS out.');
      const isCovered = patterns.every((name) =>
        asked.patterns.some((pattern) => matchesPattern(pattern, name)),
      );
      if (!isCovered) throw createInputError(`The request is for ${formatScope(asked.patterns)} only.`);
      const [lessMs, askedMs] = [parseDurationMs(less.for), parseDurationMs(asked.for)];
      if (lessMs !== undefined && askedMs !== undefined && lessMs > askedMs)
        throw createInputError(`The request is for ${asked.for} only.`);
      const narrowed = { ...asked, patterns, for: less.for || asked.for };
      return { subject: JSON.stringify(narrowed), title: formatAccess(narrowed) };
    },
  };
}

/** Formats requested access, such as "operate on VPS-10001 for 8h". */
function formatAccess({ right, patterns, for: length }: RequestedAccess): string {
  return `${right} on ${formatScope(patterns)}${length ? ` for ${length}` : ''}`;
}

function createInputError(message: string): RackhandError {
  return new RackhandError('input_invalid', message);
}

/**
 * Finds the newest denied run that the requested right would allow. Returns the run as a step to take once
 * the right has been granted.
 */
function findFollowUpStep(
  catalogue: Catalogue,
  denied: readonly Run[],
  request: Pick<RequestedAccess, 'right' | 'patterns'>,
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
  { right, patterns }: Pick<RequestedAccess, 'right' | 'patterns'>,
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
