import { type Recipients, toRecipientValue } from '../../../auth/recipients.ts';
import { formatPatterns, formatPatternsShort } from '../../../auth/vps-pattern.ts';
import { formatDuration } from '../../../charts/format/format-quantity.ts';
import type { Vps } from '../../../hosting/payloads/vps.ts';
import type { ResolveAccess } from '../../../operations/define/access/access.ts';
import type { FieldProblem, RawInput } from '../../../operations/define/arguments/raw-input.ts';
import type { OperationContext } from '../../../operations/define/operation.ts';
import type { Fact } from '../../../operations/define/outcome.ts';
import type { LabelVps } from '../../../operations/format/label-vps.ts';
import { type PlanResult, type TakenName, uniqueName } from '../../../plans/plan-arguments.ts';
import { findPlanTarget, selectVps } from '../../shared/plan-target.ts';
import { capitalize } from '../../shared/text-format.ts';
import {
  type Condition,
  formatCondition,
  formatRecovery,
  measureName,
  parseThreshold,
  toDurationInput,
  toThresholdInput,
} from '../condition.ts';
import {
  cycleIntervalMs,
  evaluationRate,
  maxIntervalMs,
  readablePages,
  stateIntervalMs,
} from '../evaluation/evaluation-rate.ts';
import { toObservedFleet, vpsToObserve } from '../evaluation/observe-fleet.ts';
import type { Escalation, Watch, WatchPlan } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';
import { forMsOrDefault, type WatchInput } from './watch-arguments.ts';

/** Maximum members of a user group whose rights are checked. */
const maxPeopleChecked = 50;

export interface PlannedWatch {
  readonly plan: WatchPlan;
  readonly selected: readonly Vps[];
  /** Whether the list wasn't read in full, so more VPS may be selected. */
  readonly isPartial: boolean;
  readonly intervalMs: number;
  /** Sentences about VPS that aren't watched and people who can't operate the VPS. */
  readonly warnings: readonly string[];
  readonly labelVps: LabelVps;
}

export type WatchPlanResult = PlanResult<PlannedWatch>;

/** Validates input. Returns a plan, or problems by field. Rejects if the VPS can't be listed. */
export type WatchPlanner = (
  context: Pick<OperationContext, 'actor' | 'origin' | 'read' | 'workspace' | 'quotaUsage'>,
  input: WatchInput,
  replaced?: Watch,
) => Promise<WatchPlanResult>;

interface WatchPlannerDependencies {
  readonly store: Pick<WatchStore, 'list' | 'listTakenNames'>;
  readonly recipients: Pick<Recipients, 'findProblem' | 'listPeople' | 'findName'>;
  readonly resolveAccess: ResolveAccess;
}

export function createWatchPlanner({
  store,
  recipients,
  resolveAccess,
}: WatchPlannerDependencies): WatchPlanner {
  return async (context, input, replaced) => {
    const parsed = parseCondition(input);
    const { channel, others, taken, ...target } = await findPlanTarget(store, context, input, replaced);
    const problems = [
      ...(parsed.kind === 'invalid' ? [parsed.problem] : []),
      ...target.problems,
      ...(await findRecipientProblems(recipients, context.actor.teamId, input)),
    ];
    if (parsed.kind === 'invalid' || channel === undefined || problems.length > 0)
      return { kind: 'invalid', problems };
    const { condition } = parsed;

    const { vps = '*' } = input;
    const { list, listCalls, selected, problem, labelVps } = await selectVps(context, vps);
    if (problem !== undefined) return invalid('vps', problem);
    const { notify, escalate: afterMs, escalateTo: to, runbook } = input;
    const plan: WatchPlan = {
      name: input.name ?? defaultName(condition, vps, taken),
      channel,
      vps,
      condition,
      ...(notify !== undefined && { notify }),
      ...(afterMs !== undefined && to !== undefined && { escalation: { afterMs, to } }),
      ...(runbook !== undefined && { runbook }),
    };
    const active = others.filter(({ state }) => state.kind === 'active');
    const readCount = vpsToObserve([...active, plan], toObservedFleet(list, listCalls)).length;
    const { intervalMs } = evaluationRate(readCount, await context.quotaUsage(), listCalls);
    if (intervalMs > maxIntervalMs) return invalid('vps', capacityProblem(readCount, intervalMs));
    return {
      kind: 'valid',
      planned: {
        plan,
        selected,
        isPartial: list.hasMore,
        intervalMs: condition.measure === 'state' ? stateIntervalMs(listCalls) : intervalMs,
        warnings: [
          ...unreadPagesWarnings(listCalls),
          ...(await findRightsWarnings(
            { recipients, resolveAccess },
            context.actor.teamId,
            plan,
            selected.map(({ name }) => name),
          )),
        ],
        labelVps,
      },
    };
  };
}

function invalid(path: string, message: string): WatchPlanResult {
  return { kind: 'invalid', problems: [{ path, message }] };
}

function capacityProblem(vpsCount: number, everyMs: number): string {
  return `With this watch, ${vpsCount} VPS could be checked only every ${formatDuration(everyMs)}; the limit is ${formatDuration(maxIntervalMs)}. Select fewer VPS, or delete other watches or reports`;
}

/**
 * Returns warnings about pinged people and user groups who can't operate any of the VPS, and so can only acknowledge
 * alerts.
 */
async function findRightsWarnings(
  { recipients, resolveAccess }: Pick<WatchPlannerDependencies, 'recipients' | 'resolveAccess'>,
  teamId: string,
  { notify, escalation }: WatchPlan,
  vps: readonly string[],
): Promise<readonly string[]> {
  const canOperate = async (userId: string) => {
    const checkAccess = await resolveAccess({ teamId, userId }, {});
    return vps.some((name) => checkAccess({ right: 'operate', vps: [name] }) === undefined);
  };
  const pinged = new Set([notify, escalation?.to].filter((id) => id !== undefined));
  const warnings = await Promise.all(
    [...pinged].map(async (id) => {
      const people = (await recipients.listPeople(teamId, id)).slice(0, maxPeopleChecked);
      const canAct = await Promise.all(people.map(canOperate));
      if (people.length === 0 || canAct.includes(true)) return [];
      const name = await recipients.findName(teamId, id);
      return [`${name} can acknowledge an alert, but doesn't have the right to operate any of these VPS.`];
    }),
  );
  return warnings.flat();
}

/** Returns the problems with the recipients, by field: people or user groups that can't be pinged, and an escalation that lacks its time or recipient. */
async function findRecipientProblems(
  recipients: Pick<Recipients, 'findProblem'>,
  teamId: string,
  { notify, escalate, escalateTo }: WatchInput,
): Promise<readonly FieldProblem[]> {
  const check = async (path: string, id: string | undefined): Promise<readonly FieldProblem[]> => {
    const problem = id === undefined ? undefined : await recipients.findProblem(teamId, id);
    return problem === undefined ? [] : [{ path, message: capitalize(problem) }];
  };
  const isOneMissing = (escalate === undefined) !== (escalateTo === undefined);
  return [
    ...(await check('notify', notify)),
    ...(await check('escalateTo', escalateTo)),
    ...(isOneMissing
      ? [
          {
            path: escalate === undefined ? 'escalate' : 'escalateTo',
            message: 'Say when to escalate and to whom, such as --escalate 15m @lead',
          },
        ]
      : []),
  ];
}

type ParsedCondition =
  | { readonly kind: 'valid'; readonly condition: Condition }
  | { readonly kind: 'invalid'; readonly problem: FieldProblem };

/** Returns a warning if part of a very long VPS list is never read. */
function unreadPagesWarnings(pages: number): readonly string[] {
  const read = readablePages(pages);
  return read === pages
    ? []
    : [
        `The service's list of VPS has ${pages} pages. Rackhand reads the first ${read}; VPS on later pages aren't watched.`,
      ];
}

function parseCondition(input: WatchInput): ParsedCondition {
  const { measure, is = 'over', match = 'is not', state, figure } = input;
  const forMs = forMsOrDefault(input);
  if (measure === 'state') {
    if (state !== undefined) return { kind: 'valid', condition: { measure, is: match, state, forMs } };
    const message = 'Give a state, such as state is not running';
    return { kind: 'invalid', problem: { path: 'state', message } };
  }
  const read = parseThreshold({ measure, is }, figure);
  if (read.kind === 'valid') return { kind: 'valid', condition: { measure, is, figure: read.figure, forMs } };
  return { kind: 'invalid', problem: { path: 'figure', message: read.problem } };
}

function defaultName(condition: Condition, vps: string, taken: readonly TakenName[]): string {
  const measure = measureName(condition);
  const first = `${measure.charAt(0).toUpperCase()}${measure.slice(1)} of ${formatPatternsShort(vps)}`.slice(
    0,
    55,
  );
  return uniqueName(first, taken);
}

export function watchPlanFacts(
  { vps, condition, channel, notify, escalation, runbook }: WatchPlan,
  labelVps: LabelVps,
  vpsCount?: number,
): readonly Fact[] {
  const count = vpsCount === undefined ? '' : ` (${vpsCount} now)`;
  return [
    { label: 'VPS', value: `${labelVps(formatPatterns(vps))}${count}` },
    { label: 'Condition', value: formatCondition(condition) },
    { label: 'Recovers after', value: formatRecovery(condition) },
    { label: 'Channel', value: { kind: 'channel', channel } },
    ...(notify === undefined ? [] : [{ label: 'Pages', value: toRecipientValue(notify) }]),
    ...(escalation ? [escalationFact(escalation)] : []),
    ...runbookFacts(runbook),
  ];
}

export function escalationFact({ afterMs, to }: Escalation): Fact {
  return {
    label: `Pages after ${formatDuration(afterMs)} without acknowledgment`,
    value: toRecipientValue(to),
  };
}

export function runbookFacts(runbook: string | undefined): readonly Fact[] {
  return runbook === undefined ? [] : [{ label: 'Runbook', value: { kind: 'link', url: runbook } }];
}

/** Returns the maximum time from the start of the condition to the alert. */
export function alertsWithinFact({ forMs }: Condition, everyMs: number): Fact {
  const soonestMs = Math.ceil(forMs / everyMs) * everyMs;
  return { label: 'Alerts within', value: formatDuration(soonestMs + everyMs) };
}

/** Returns how often VPS are checked and how soon an alert follows. */
export function evaluationFacts(condition: Condition, everyMs: number): readonly Fact[] {
  return [
    {
      label: 'Checked',
      value: `about every ${everyMs === cycleIntervalMs ? 'minute' : formatDuration(everyMs)}, depending on the quota`,
    },
    alertsWithinFact(condition, everyMs),
  ];
}

/** Returns the input that would recreate the watch. Used to prefill its form. */
export function toWatchPlanInput(plan: WatchPlan): RawInput {
  const { name, channel, vps, condition, notify, escalation, runbook } = plan;
  const sought =
    condition.measure === 'state'
      ? { match: condition.is, state: condition.state }
      : { is: condition.is, figure: toThresholdInput(condition) };
  return {
    ...(vps !== '*' && { vps }),
    measure: condition.measure,
    ...sought,
    lasts: toDurationInput(condition),
    channel,
    name,
    ...(notify !== undefined && { notify }),
    ...(runbook !== undefined && { runbook }),
    ...(escalation && {
      escalate: toDurationInput({ forMs: escalation.afterMs }),
      escalateTo: escalation.to,
    }),
  };
}
