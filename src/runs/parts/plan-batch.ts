import { z } from 'zod';
import type { ChangeOperation } from '../../operations/define/operation.ts';
import { type BatchInput, toTargetInput } from '../../operations/several/batch-operation.ts';
import type { ChangeRun } from '../pipeline/run-context.ts';
import type { ActiveRun, Run } from '../run.ts';
import { createBatchEnd, type StopReason } from './batch-end.ts';
import {
  type BatchTarget,
  findPhase,
  formatCounts,
  isReasonToStop,
  isSameState,
  listTargetFacts,
  type TargetPhase,
} from './batch-state.ts';
import type { Part, PlanParts } from './start-part.ts';

/**
 * Maximum number of a batch's runs that wait for the quota at once. Kept low, so that only a few can still
 * begin after someone stops the batch.
 */
const maxQueued = 10;

/** Maximum length of an interruption after which a batch still continues. */
const maxInterruptionMs = 5 * 60_000;

/** The states shown on the card, which are the fingerprint of a batch's confirmation. */
const shownStates = z.array(z.object({ label: z.string(), value: z.object({ state: z.string() }) }));

/** Texts shown on a card if the state of a VPS is unknown. */
const noStates = ['not shown', 'not in the list'];

/** Plans a run of `inner` for each VPS in a batch. */
export function planBatch(
  { run: batch, parsed }: ChangeRun<ActiveRun>,
  inner: ChangeOperation,
  deadlineMs: number,
  now: () => number,
): PlanParts {
  const { atATime, targets: chosen } = parsed.input as BatchInput;
  const states = readShownStates(batch);
  const keyOf = (vps: string) => `batch:${batch.id}:${vps}`;
  let isInterrupted: boolean | undefined;

  const toPart = (target: BatchTarget): Part => ({
    requestKey: keyOf(target.vps),
    operation: inner,
    raw: toTargetInput(batch.input, target.vps),
    displayNames: { vps: target.label },
    findDifference: (change) => findDifference(target, change),
  });

  return (stored, parts, starting) => {
    const byVps = new Map(parts.map((run) => [run.input.vps, run]));
    const targets = chosen.map(({ vps }, index) => ({
      vps,
      label: batch.displayNames?.[`targets.${index}.vps`] ?? vps,
      shownState: states.get(vps),
      run: byVps.get(vps),
    }));
    const nowMs = now();
    isInterrupted ??= wasLeftAlone(targets, batch, nowMs);
    const phases = targets.map((target) => findPhase(target, inner, nowMs));
    const isLate = nowMs >= deadlineMs;
    const stop = findStopReason(stored, { targets, phases, atATime, isInterrupted, isLate });
    const isOver = stop !== undefined || !phases.includes('open');
    if (isOver && !phases.includes('active') && starting.size === 0)
      return { kind: 'end', end: createBatchEnd(stored, inner, targets, stop, nowMs), progress: null };
    const facts = listTargetFacts(targets, inner, { isOver, nowMs });
    const isStarting = ({ vps }: BatchTarget) => starting.has(keyOf(vps));
    return {
      kind: 'goOn',
      progress: { isFinished: false, text: formatCounts(phases, isOver), facts },
      start: stop ? [] : chooseNext(targets, phases, atATime, isStarting).map(toPart),
    };
  };
}

function chooseNext(
  targets: readonly BatchTarget[],
  phases: readonly TargetPhase[],
  atATime: number | undefined,
  isStarting: (target: BatchTarget) => boolean,
): readonly BatchTarget[] {
  const isBusy = (target: BatchTarget, phase: TargetPhase | undefined) =>
    isStarting(target) ||
    // Without a pace, a VPS counts as busy only until its call has ended, not during the work after it.
    (atATime === undefined ? target.run !== undefined && target.run.settledMs === null : phase === 'active');
  const busy = targets.filter((target, index) => isBusy(target, phases[index])).length;
  const open = targets.filter((target, index) => phases[index] === 'open' && !isStarting(target));
  return open.slice(0, Math.max(0, (atATime ?? maxQueued) - busy));
}

interface BatchView {
  readonly targets: readonly BatchTarget[];
  readonly phases: readonly TargetPhase[];
  readonly atATime: number | undefined;
  readonly isInterrupted: boolean;
  readonly isLate: boolean;
}

function findStopReason(
  { stoppedBy }: Run,
  { targets, phases, atATime, isInterrupted, isLate }: BatchView,
): StopReason | undefined {
  if (stoppedBy !== undefined) return { kind: 'person', userId: stoppedBy };
  const failed = targets.find((_, index) => isReasonToStop(phases[index] ?? 'open'));
  if (atATime !== undefined && failed) return { kind: 'failure', label: failed.label };
  if (isInterrupted) return { kind: 'interrupted' };
  return isLate ? { kind: 'late' } : undefined;
}

/** Returns whether the batch was idle for so long that no one expects it to continue. */
function wasLeftAlone(targets: readonly BatchTarget[], { queuedMs }: Run, nowMs: number): boolean {
  const times = targets.flatMap(({ run }) => (run ? [run.requestedMs, run.settledMs ?? 0] : []));
  const isWorking = targets.some(({ run }) => run?.status === 'done' && run.progress?.isFinished === false);
  return !isWorking && nowMs - Math.max(queuedMs ?? nowMs, ...times) > maxInterruptionMs;
}

/** Returns how a VPS differs from the state shown on the card, or undefined if it doesn't or a state is unknown. */
async function findDifference(
  { label, shownState }: BatchTarget,
  { operation, parsed, operationContext }: ChangeRun,
): Promise<string | undefined> {
  const { facts = [] } = (await operation.readTargetState?.(operationContext, parsed.input)) ?? {};
  const value = facts.find((fact) => fact.label === 'State')?.value;
  const state = typeof value === 'object' && value.kind === 'state' ? value.state : undefined;
  const isKnown = shownState !== undefined && state !== undefined && state !== 'not shown';
  return !isKnown || isSameState(shownState, state)
    ? undefined
    : `${label} was ${shownState} when you confirmed and is ${state} now.`;
}

/** Returns the states shown on the card, by VPS. Leaves out unknown states. */
function readShownStates({ confirmedState }: Run): ReadonlyMap<string, string> {
  try {
    const facts = shownStates.parse(
      confirmedState.kind === 'state' ? JSON.parse(confirmedState.fingerprint) : [],
    );
    const known = facts.filter(({ value }) => !noStates.includes(value.state));
    return new Map(known.map(({ label, value }) => [label, value.state]));
  } catch {
    // The key isn't permitted to read the list.
    return new Map();
  }
}
