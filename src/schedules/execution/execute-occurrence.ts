import { isUnreadableRow } from '../../db/row-reader.ts';
import { listVps } from '../../hosting/endpoints/vps.ts';
import { readVpsList } from '../../hosting/payloads/vps.ts';
import type { JobContext } from '../../jobs/job-kind.ts';
import { isVpsSelected, withOwnAliases } from '../../monitoring/shared/vps-selection.ts';
import { canViewVps } from '../../operations/define/access/access.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import type { PauseReason } from '../../plans/plan.ts';
import type { DueContext } from '../../plans/plan-job.ts';
import { formatResult } from '../format-schedule.ts';
import { maxTargets } from '../planning/plan-targets.ts';
import type { LastResult, Occurrence, Schedule, Target } from '../schedule.ts';
import {
  createTargetSteps,
  describeReadFailure,
  type ExecutionDependencies,
  lateText,
  maxWaitMs,
} from './target-steps.ts';

type ExecutionResult =
  | { readonly kind: 'working' }
  | {
      readonly kind: 'done';
      readonly result: LastResult;
      readonly outcome: Outcome;
      readonly pause?: PauseReason | undefined;
    };

/** An occurrence's VPS, or why there are none. */
type FoundTargets =
  | { readonly kind: 'found'; readonly vps: readonly string[] }
  | { readonly kind: 'problem'; readonly problem: string; readonly pause?: PauseReason };

/**
 * Advances each target of an occurrence as far as possible. `working` means that the caller should try
 * again later, or that another process has taken over.
 */
export type ExecuteOccurrence = (
  schedule: Schedule,
  occurrence: Occurrence,
  context: DueContext,
) => Promise<ExecutionResult>;

export function createOccurrenceExecutor(dependencies: ExecutionDependencies): ExecuteOccurrence {
  const { store, hostingFor, listVpsAliases, resolveAccess, findCreatorStanding } = dependencies;
  const advance = createTargetSteps(dependencies);

  /**
   * Returns the VPS that the schedule's names and patterns currently match, or why the schedule can't run.
   * Patterns match only VPS that the creator can view.
   */
  async function findTargets({
    teamId,
    id,
    act,
    createdBy: userId,
    channel,
  }: Schedule): Promise<FoundTargets> {
    if (act.vps === null) return { kind: 'found', vps: [''] };
    const words = act.vps;
    if (!words.includes('*')) return { kind: 'found', vps: words.split(' ') };
    const options = { lane: 'background', caller: id } as const;
    const fleet = readVpsList(await hostingFor(teamId).call(listVps, {}, options));
    const all = withOwnAliases(fleet.vps, await listVpsAliases(teamId));
    const checkAccess = await resolveAccess({ teamId, userId }, { channel });
    const matching = all.filter((vps) => isVpsSelected(words, vps));
    const names = matching.filter(({ name }) => canViewVps(checkAccess, name)).map(({ name }) => name);
    const problem = (text: string) => ({ kind: 'problem', problem: text }) as const;
    if (fleet.hasMore) return problem("The list of VPS couldn't be read in full, so nothing was done.");
    if (names.length === 0 && matching.length > 0) {
      const standing = await findCreatorStanding(
        { teamId, userId },
        matching.map(({ name }) => name),
      );
      if (standing === 'unknown') throw new Error('Slack did not say what the person is allowed to view');
      const why = `${words} matches no VPS that the schedule's creator can view, so nothing was done.`;
      return { ...problem(why), ...(standing !== 'allowed' && { pause: standing }) };
    }
    if (names.length === 0) return problem(`No VPS matches ${words}, so nothing was done.`);
    if (names.length > maxTargets)
      return problem(
        `${words} now matches ${names.length} VPS, and a schedule acts on at most ${maxTargets}. Nothing was done.`,
      );
    return { kind: 'found', vps: names };
  }

  const fail = (schedule: Schedule, dueMs: number, text: string, pause?: PauseReason): ExecutionResult => {
    const result = { dueMs, isOk: false, text };
    return { kind: 'done', result, outcome: formatResult(schedule, result, []), pause };
  };

  /** Returns the targets of an occurrence that has just begun, or its result if it must end right away. */
  async function open(
    schedule: Schedule,
    dueMs: number,
    { clock, token }: DueContext,
  ): Promise<{ readonly kind: 'open'; readonly targets: readonly Target[] } | ExecutionResult> {
    const isLate = clock.now() > dueMs + maxWaitMs;
    // If the occurrence is late because the list couldn't be read, the result says so.
    const found = await findTargets(schedule).catch((error: unknown): FoundTargets => {
      const reason = describeReadFailure(error, isLate);
      return { kind: 'problem', problem: `The list of VPS couldn't be read, so nothing was done. ${reason}` };
    });
    if (found.kind === 'problem') return fail(schedule, dueMs, found.problem, found.pause);
    if (isLate) return fail(schedule, dueMs, lateText);
    const { approval } = schedule;
    if (approval && found.vps.some((vps) => vps !== '' && !approval.targets.includes(vps)))
      return fail(schedule, dueMs, changedTargets, 'approval');
    const targets = found.vps.map((vps) => ({ ...newTarget, vps }));
    const isSaved = await store.saveOccurrence(schedule.id, token, { dueMs, targets });
    return isSaved ? { kind: 'open', targets } : { kind: 'working' };
  }

  /**
   * Advances a target until it has to wait, is done, or loses its claim. Each step is saved, so a crash repeats one
   * step at most.
   */
  async function advanceFully(
    schedule: Schedule,
    target: Target,
    { clock, signal, dueMs, save }: StepContext,
  ): Promise<void> {
    let current = target;
    while (current.step !== 'done' && !signal.aborted) {
      const advanced = await advance(schedule, dueMs, current, clock);
      if (advanced === current) break;
      current = advanced;
      if (!(await save(current))) break;
    }
  }

  return async (schedule, { dueMs, targets: stored }, context) => {
    const opened =
      stored.length > 0 ? ({ kind: 'open', targets: stored } as const) : await open(schedule, dueMs, context);
    if (opened.kind !== 'open') return opened;
    const targets = [...opened.targets];
    let isClaimed = true;
    const failures: unknown[] = [];
    for (const [index, target] of opened.targets.entries()) {
      const save = async (next: Target) => {
        targets[index] = next;
        isClaimed = await store.saveOccurrence(schedule.id, context.token, { dueMs, targets });
        return isClaimed;
      };
      try {
        await advanceFully(schedule, target, { ...context, dueMs, save });
      } catch (error) {
        // Other targets don't wait for this one. The job is retried afterwards.
        failures.push(error);
      }
      if (!isClaimed) return { kind: 'working' };
    }
    const pendingCount = targets.filter(({ step }) => step !== 'done').length;
    throwFailure(failures, pendingCount);
    if (pendingCount > 0) return { kind: 'working' };
    const result = summarize(dueMs, targets);
    const pause = targets.some(({ isDenied }) => isDenied) ? 'denied' : undefined;
    return { kind: 'done', result, outcome: formatResult(schedule, result, targets), pause };
  };
}

/**
 * Throws a failed target's error, so the job is retried. A row that this version can't read counts only if every
 * pending target has failed.
 */
function throwFailure(failures: readonly unknown[], pendingCount: number): void {
  const failure = failures.find((error) => !isUnreadableRow(error));
  if (failure !== undefined) throw failure;
  if (failures.length > 0 && failures.length === pendingCount) throw failures[0];
}

interface StepContext extends JobContext {
  readonly dueMs: number;
  readonly save: (target: Target) => Promise<boolean>;
}

const changedTargets = 'The targets of this schedule have changed since it was approved. Nothing was done.';

const newTarget: Target = {
  vps: '',
  step: 'start',
  attempt: 1,
  isOk: false,
  isDenied: false,
  text: '',
  deletions: [],
  notes: [],
};

function summarize(dueMs: number, targets: readonly Target[]): LastResult {
  const [only, ...others] = targets;
  const doneCount = targets.filter(({ isOk }) => isOk).length;
  const isOk = doneCount === targets.length;
  if (only && others.length === 0) return { dueMs, isOk, text: only.text };
  const text = isOk
    ? `Done for all ${targets.length} VPS.`
    : `Done for ${doneCount} of ${targets.length} VPS.`;
  return { dueMs, isOk, text };
}
