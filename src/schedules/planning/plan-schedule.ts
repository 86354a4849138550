import { createHash } from 'node:crypto';
import { readWhen } from '../../monitoring/shared/when-arguments.ts';
import type { CheckAccess, RequiredAccess } from '../../operations/define/access/access.ts';
import { findRequiredAccess } from '../../operations/define/access/required-access.ts';
import { parseInput } from '../../operations/define/arguments/input.ts';
import type { FieldProblem } from '../../operations/define/arguments/raw-input.ts';
import { requiresConfirmation } from '../../operations/define/inspect-operation.ts';
import type { ChangeOperation, OperationContext } from '../../operations/define/operation.ts';
import { describeTakenName, type TakenName, uniqueName } from '../../plans/plan-arguments.ts';
import type { ApprovalRoute, FindApprovalRouteFor } from '../../runs/pipeline/approval/approvals.ts';
import { listUntitledInput, type TextFact } from '../../runs/pipeline/approval/untitled-input.ts';
import type { IsReasonRequired } from '../../runs/stated-reason.ts';
import { toWhenText } from '../../time/parse-when.ts';
import type { When } from '../../time/when.ts';
import { keepFacts, reasonFacts } from '../format-schedule.ts';
import type { ScheduleInput } from '../operations/schedule-arguments.ts';
import type { Schedule, SchedulePlan } from '../schedule.ts';
import type { ScheduleStore } from '../schedule-store.ts';
import {
  deleteOperation,
  findTargets,
  formatActTitle,
  type PlannedTarget,
  parseAct,
  planTargets,
  snapshotOperation,
  withoutVps,
} from './plan-targets.ts';

export interface ScheduleApproval {
  readonly route: ApprovalRoute;
  readonly required: RequiredAccess;
  /** Facts that the approver needs besides the title. */
  readonly details: readonly TextFact[];
}

export interface PlannedSchedule {
  readonly plan: SchedulePlan;
  readonly operation: ChangeOperation;
  readonly targets: readonly PlannedTarget[];
  /** Identifies everything that the person confirms, such as the targets and times. */
  readonly digest: string;
  readonly needsConfirmation: boolean;
  /** Undefined if no rule requires approval. */
  readonly approval: ScheduleApproval | undefined;
}

export type PlanningResult =
  | { readonly kind: 'valid'; readonly planned: PlannedSchedule }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] };

interface SchedulePlannerDependencies {
  readonly store: Pick<ScheduleStore, 'listTakenNames'>;
  readonly findApprovalRoute: FindApprovalRouteFor;
  readonly isReasonRequired: IsReasonRequired;
  readonly now: () => number;
}

export type SchedulePlanner = (
  context: OperationContext,
  input: ScheduleInput,
  /** The schedule being edited. */
  replaced?: Schedule,
) => Promise<PlanningResult>;

/** Creates the function that turns input into a plan, or returns all problems by field. */
export function createSchedulePlanner({
  store,
  findApprovalRoute,
  isReasonRequired,
  now,
}: SchedulePlannerDependencies): SchedulePlanner {
  return async (context, input, replaced) => {
    const timed = await readWhen(context, input, { nowMs: now(), kept: replaced?.timing });
    const act = parseAct(input.act, context.catalogue);
    const problems: FieldProblem[] = [
      ...(timed.kind === 'invalid' ? timed.problems : []),
      ...(act.kind === 'problem' ? [{ path: 'act', message: act.problem }] : []),
    ];
    if (timed.kind === 'invalid' || act.kind === 'problem') return { kind: 'invalid', problems };
    const timing = timed.when;
    const { operation, raw } = act;
    const allNames = await store.listTakenNames(context.actor.teamId);
    const taken = allNames.filter(({ id }) => id !== replaced?.id);
    const placed = findPlace(context, input, { operation, timing, taken });
    const found = await findTargets(context, operation, raw);
    if (found.kind === 'problem')
      return { kind: 'invalid', problems: [...placed.problems, { path: 'act', message: found.problem }] };

    const { typed } = found;
    const name = input.name ?? uniqueName(toDefaultName(operation, typed), taken);
    const planned = await planTargets(context, operation, { raw, name, selected: found.selected });
    const { targets } = planned;
    const required = listRequired(operation, targets, input.keep !== undefined);
    const { teamId } = context.actor;
    const needReasons = await Promise.all(
      targets.map(({ parsed }) => isReasonRequired(teamId, operation, parsed.input)),
    );
    const isReasonMissing = raw.reason === undefined && needReasons.includes(true);
    const allProblems = [
      ...placed.problems,
      ...(isReasonMissing ? [{ path: 'act', message: reasonMissing }] : []),
      ...[...planned.messages, ...listDenials(await context.loadAccess(), required)].map((message) => ({
        path: 'act',
        message,
      })),
    ];
    if (allProblems.length > 0) return { kind: 'invalid', problems: allProblems };

    const plan: SchedulePlan = {
      name,
      channel: placed.channel,
      act: {
        operation: operation.name,
        // Contains IDs instead of names, which can mean something else later.
        input: withoutVps(targets[0]?.parsed.raw ?? raw),
        vps: toStoredTargets(operation, typed, targets),
        title: formatActTitle(operation, raw, { targets, typed }),
        command: input.act,
        // A one-time schedule stores the date, because "tomorrow" would later mean another day.
        when: toWhenText(timing),
      },
      timing,
      keep: input.keep ?? null,
      announceMs: input.announce ?? defaultAnnounceMs,
    };
    const keepsOnly = plan.keep !== null;
    const rule = await findRule(findApprovalRoute, context, { operation, targets, keepsOnly });
    return {
      kind: 'valid',
      planned: {
        plan,
        operation,
        targets,
        digest: digestPlan(plan, targets),
        needsConfirmation:
          keepsOnly || targets.some(({ parsed }) => requiresConfirmation(operation, parsed.input)),
        approval: rule && {
          route: rule,
          required: toApproverAccess(required, targets),
          details: listApprovalDetails(operation, targets, plan),
        },
      },
    };
  };
}

interface PlacedSchedule {
  readonly operation: ChangeOperation;
  readonly timing: When;
  readonly taken: readonly TakenName[];
}

/** Returns the channel, and problems with the channel, name and retention rule. */
function findPlace(
  { origin }: OperationContext,
  input: ScheduleInput,
  { operation, timing, taken }: PlacedSchedule,
): { readonly channel: string; readonly problems: readonly FieldProblem[] } {
  const channel = input.channel || origin.channel || '';
  const canKeep = operation.name === snapshotOperation && timing.kind !== 'once';
  const holder = taken.find(({ name }) => name === input.name);
  const problems = [
    ...(input.keep && !canKeep
      ? [{ path: 'keep', message: '--keep only works with recurring snapshots' }]
      : []),
    ...(channel === '' ? [{ path: 'channel', message: 'Choose the channel to post in' }] : []),
    ...(holder ? [{ path: 'name', message: describeTakenName(holder) }] : []),
  ];
  return { channel, problems };
}

/** Returns the access needed on each target: for the change and, with retention, for deleting snapshots. */
function listRequired(
  operation: ChangeOperation,
  targets: readonly PlannedTarget[],
  keepsOnly: boolean,
): readonly RequiredAccess[] {
  return targets.flatMap(({ parsed, vps }) => [
    ...[findRequiredAccess(operation, parsed) ?? []].flat(),
    ...(keepsOnly ? [deletionAccess(vps)] : []),
  ]);
}

function toApproverAccess(
  required: readonly RequiredAccess[],
  targets: readonly PlannedTarget[],
): RequiredAccess {
  const destroys = required.some(({ right }) => right === 'destroy');
  const vps = targets.flatMap((target) => (target.vps === '' ? [] : [target.vps]));
  return { right: destroys ? 'destroy' : 'operate', vps };
}

const reasonMissing =
  'Your team requires a reason for this. Put the command in quotes with its reason: "reboot web-01 --reason INC-42"';

const defaultAnnounceMs = 10 * 60_000;

/** Returns the access that retention needs to delete snapshots. */
function deletionAccess(vps: string): RequiredAccess {
  return { right: 'destroy', vps: [vps] };
}

function listDenials(checkAccess: CheckAccess, required: readonly RequiredAccess[]): readonly string[] {
  const denials = required.flatMap((need) => checkAccess(need) ?? []);
  return [...new Set(denials.map(({ message }) => message.replace(/\.$/, '')))].slice(0, 3);
}

async function findRule(
  findApprovalRoute: FindApprovalRouteFor,
  { actor, catalogue }: OperationContext,
  {
    operation,
    targets,
    keepsOnly,
  }: { operation: ChangeOperation; targets: readonly PlannedTarget[]; keepsOnly: boolean },
) {
  const deletion = keepsOnly ? catalogue.find(deleteOperation) : undefined;
  for (const { vps, parsed } of targets) {
    const rule = await findApprovalRoute({ run: { actor }, operation, parsed });
    if (rule) return rule;
    if (deletion?.kind !== 'change') continue;
    const input = parseInput(deletion, { vps, snapshot: 'any' });
    const strict =
      input.kind === 'valid'
        ? await findApprovalRoute({ run: { actor }, operation: deletion, parsed: input })
        : undefined;
    if (strict) return strict;
  }
  return undefined;
}

/** Returns a digest of everything that the person confirms. */
export function digestPlan(
  { act, timing, keep, channel }: SchedulePlan,
  targets: readonly PlannedTarget[],
): string {
  const request = [
    act,
    timing,
    keep,
    channel,
    targets.map(({ parsed }) => Object.entries(parsed.raw).sort()),
  ];
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url').slice(0, 12);
}

/**
 * Returns the targets to store. A pattern is stored only if nothing needs confirmation. Otherwise, someone could rename
 * a VPS to match the pattern and have it rebooted with another person's rights.
 */
function toStoredTargets(
  operation: ChangeOperation,
  typed: string | null,
  targets: readonly PlannedTarget[],
): string | null {
  const isOpen = !targets.some(({ parsed }) => requiresConfirmation(operation, parsed.input));
  return typed?.includes('*') && isOpen ? typed : typed && targets.map(({ vps }) => vps).join(' ');
}

function toDefaultName({ name }: ChangeOperation, vps: string | null): string {
  const verb = name === snapshotOperation ? 'snapshot' : name;
  return [verb, vps ?? ''].join(' ').trim().slice(0, 50);
}

/** Lists what the title leaves out: several targets, other input, retention and reason. */
function listApprovalDetails(
  operation: ChangeOperation,
  targets: readonly PlannedTarget[],
  { act, keep }: SchedulePlan,
): readonly TextFact[] {
  return [
    ...(targets.length > 1 ? [{ label: 'VPS', value: targets.map(({ label }) => label).join(', ') }] : []),
    ...listUntitledInput(operation, targets[0]?.parsed.input ?? {}),
    ...keepFacts(keep),
    ...reasonFacts(act),
  ];
}
