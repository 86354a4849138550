import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { ChangeOperation } from '../../operations/define/operation.ts';
import type { BatchInput } from '../../operations/several/batch-operation.ts';
import type { ChangeRun } from '../pipeline/run-context.ts';
import type { RunServices } from '../pipeline/run-services.ts';
import { beginParts } from '../pipeline/sending/send.ts';
import type { ActiveRun, Run } from '../run.ts';
import { createBatchEnd, type StopReason } from './batch-end.ts';
import {
  type BatchTarget,
  findPhase,
  formatCounts,
  isReasonToStop,
  listTargetFacts,
  type TargetPhase,
} from './batch-state.ts';

/** How often the runs of a batch are checked. */
const pollMs = 250;

/** How often the message of a batch is edited at most. */
const shownAgainMs = 1_500;

/**
 * How many runs of a batch wait for the quota at the same time. There are few, so that the others
 * don't begin if a person stops the batch.
 */
const maxQueued = 10;

/** How long after its confirmation a batch can start runs. */
const maxDurationMs = 60 * 60_000;

/** A batch that no process has worked on for this long isn't continued. */
const maxInterruptionMs = 5 * 60_000;

/** The states that the card showed: the fingerprint of a batch's confirmation. */
const shownStates = z.array(z.object({ label: z.string(), value: z.object({ state: z.string() }) }));

/** Texts that a card shows if the state of a VPS is unknown. */
const noStates = ['not shown', 'not in the list'];

/** Starts the run on one VPS of a batch. Does nothing if it was started before. */
export type StartBatchTarget = (
  batch: ChangeRun,
  target: BatchTarget,
  sendByMs: number,
  services: RunServices,
) => Promise<void>;

type BatchRun = ChangeRun & { readonly operation: { readonly batchOf: ChangeOperation } };

/**
 * Executes a batch: starts a run for each VPS, and settles the batch when they have ended. Another
 * process can continue it at any point, because each VPS has at most one run.
 */
export async function executeBatch(
  queued: ChangeRun<ActiveRun>,
  startTarget: StartBatchTarget,
  services: RunServices,
): Promise<void> {
  const begun = await beginParts(queued, services);
  if (!begun || !isBatch(begun)) return;
  const { runs, settleAndShow, stopping, now, log } = services;
  const { run: batch, operation } = begun;
  const { batchOf: inner } = operation;
  const { atATime } = begun.parsed.input as BatchInput;
  const deadlineMs = (batch.queuedMs ?? now()) + maxDurationMs;
  let isInterrupted: boolean | undefined;
  let shown = { text: '', atMs: 0 };
  const starting = new Map<string, Promise<void>>();
  while (!stopping.aborted) {
    const [stored, targets] = await Promise.all([runs.find(batch.id), listTargets(begun, runs)]);
    if (stored?.status !== 'sent') return;
    isInterrupted ??= wasLeftAlone(targets, batch, now());
    const phases = targets.map((target) => findPhase(target, inner, now()));
    const stop = findStopReason(
      { ...stored, deadlineMs },
      { targets, phases, atATime, isInterrupted },
      now(),
    );
    const isOver = stop !== undefined || !phases.includes('open');
    if (isOver && !phases.includes('active') && starting.size === 0) {
      const end = createBatchEnd(stored, operation, targets, stop, now());
      await settleAndShow(stored, ['sent'], end);
      return;
    }
    const facts = listTargetFacts(targets, inner, { isOver, nowMs: now() });
    const progress = { isFinished: false, text: formatCounts(phases, isOver), facts };
    const text = JSON.stringify([progress, stored.stoppedBy]);
    if (text !== shown.text && Date.now() - shown.atMs >= shownAgainMs) {
      shown = { text, atMs: Date.now() };
      await runs.showView(stored, { progress });
    }
    const next = stop ? [] : chooseNext(targets, phases, { atATime, starting });
    for (const target of next) {
      const started = startTarget(begun, target, deadlineMs, services).catch((error) =>
        log.error({ err: error, runId: batch.id }, 'a run of a batch could not be started'),
      );
      starting.set(
        target.vps,
        started.finally(() => starting.delete(target.vps)),
      );
    }
    await setTimeout(pollMs, undefined, { signal: stopping }).catch(() => undefined);
  }
  await Promise.all(starting.values());
}

function isBatch(change: ChangeRun): change is BatchRun {
  return change.operation.batchOf !== undefined;
}

/** Returns the VPS that can begin now. */
function chooseNext(
  targets: readonly BatchTarget[],
  phases: readonly TargetPhase[],
  {
    atATime,
    starting,
  }: { readonly atATime: number | undefined; readonly starting: ReadonlyMap<string, unknown> },
): readonly BatchTarget[] {
  const isBusy = ({ vps, run }: BatchTarget, phase: TargetPhase | undefined) =>
    starting.has(vps) ||
    // Without a pace, only the calls take turns, not the work after them.
    (atATime === undefined ? run !== undefined && run.settledMs === null : phase === 'active');
  const busy = targets.filter((target, index) => isBusy(target, phases[index])).length;
  const open = targets.filter(({ vps }, index) => phases[index] === 'open' && !starting.has(vps));
  return open.slice(0, Math.max(0, (atATime ?? maxQueued) - busy));
}

interface BatchView {
  readonly targets: readonly BatchTarget[];
  readonly phases: readonly TargetPhase[];
  readonly atATime: number | undefined;
  readonly isInterrupted: boolean;
}

function findStopReason(
  { stoppedBy, deadlineMs }: Pick<Run, 'stoppedBy'> & { readonly deadlineMs: number },
  { targets, phases, atATime, isInterrupted }: BatchView,
  nowMs: number,
): StopReason | undefined {
  if (stoppedBy !== undefined) return { kind: 'person', userId: stoppedBy };
  const failed = targets.find((_, index) => isReasonToStop(phases[index] ?? 'open'));
  if (atATime !== undefined && failed) return { kind: 'failure', label: failed.label };
  if (isInterrupted) return { kind: 'interrupted' };
  return nowMs >= deadlineMs ? { kind: 'late' } : undefined;
}

/** Returns whether the batch has been idle for so long that no one expects it to continue. */
function wasLeftAlone(targets: readonly BatchTarget[], { queuedMs }: Run, nowMs: number): boolean {
  const times = targets.flatMap(({ run }) => (run ? [run.requestedMs, run.settledMs ?? 0] : []));
  const isWorking = targets.some(({ run }) => run?.status === 'done' && run.progress?.isFinished === false);
  return !isWorking && nowMs - Math.max(queuedMs ?? nowMs, ...times) > maxInterruptionMs;
}

async function listTargets(
  { run: batch, parsed }: ChangeRun,
  runs: RunServices['runs'],
): Promise<readonly BatchTarget[]> {
  const byVps = new Map((await runs.listBatch(batch.id)).map((run) => [run.input.vps, run]));
  const states = readShownStates(batch);
  const { targets } = parsed.input as BatchInput;
  return targets.map(({ vps }, index) => ({
    vps,
    label: batch.displayNames?.[`targets.${index}.vps`] ?? vps,
    shownState: states.get(vps),
    run: byVps.get(vps),
  }));
}

/** Returns the states that the card showed, by VPS. Leaves out those that the service didn't show. */
function readShownStates({ confirmedState }: Run): ReadonlyMap<string, string> {
  try {
    const facts = shownStates.parse(JSON.parse(confirmedState ?? '[]'));
    const known = facts.filter(({ value }) => !noStates.includes(value.state));
    return new Map(known.map(({ label, value }) => [label, value.state]));
  } catch {
    // The key isn't permitted to read the list.
    return new Map();
  }
}
