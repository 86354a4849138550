import { setTimeout } from 'node:timers/promises';
import { RackhandError } from '../../errors.ts';
import type { ChangeOperation } from '../../operations/define/operation.ts';
import { toAutomaticName } from '../../operations/snapshot/automatic-name.ts';
import { claimPart, type PartRun } from '../batches/claim-part.ts';
import type { ChangeRun } from '../pipeline/run-context.ts';
import { refuse } from '../pipeline/run-ends.ts';
import type { RunServices } from '../pipeline/run-services.ts';
import { beginParts } from '../pipeline/sending/send.ts';
import { type Next, next } from '../pipeline/step.ts';
import { toProblem } from '../problem.ts';
import type { ActiveRun, Run } from '../run.ts';
import { decideNext, type SnapshotFirst, toProgress } from './decide-next.ts';

/** How often the parts are checked. */
const pollMs = 500;

/** How long after its confirmation the change can begin. */
const maxDurationMs = 60 * 60_000;

/** A part of a change that waits for a snapshot. */
export interface SnapshotPartRun extends PartRun {
  /** The state to which the confirmation was bound. Null for the snapshot. */
  readonly confirmedState: string | null;
}

/** Starts a claimed part. Resolves when it is queued, or has ended without a call. */
export type StartSnapshotPart = (part: SnapshotPartRun, services: RunServices) => Promise<void>;

/**
 * Takes a snapshot as a run of its own, waits until it is complete, and then makes the change as another
 * run. A process that restarts continues, because each part has at most one run.
 */
export async function executeSnapshotFirst(
  queued: ChangeRun<ActiveRun>,
  startPart: StartSnapshotPart,
  services: RunServices,
): Promise<void> {
  const begun = await beginParts(queued, services);
  if (!begun) return;
  const { runs, settleAndShow, stopping, now } = services;
  const { run, operation } = begun;
  const snapshotOperation = findSnapshotOperation(services);
  let shown = '';
  while (!stopping.aborted) {
    const [parent, snapshot, change] = await Promise.all([
      runs.find(run.id),
      runs.findByRequestKey(toPartKey(run, 'snapshot')),
      runs.findByRequestKey(toPartKey(run, 'change')),
    ]);
    if (parent?.status !== 'sent') return;
    const deadlineMs = run.queuedMs + maxDurationMs;
    const current = { parent, operation, snapshotOperation, snapshot, change, deadlineMs };
    const act = decideNext(current, now());
    if (act.kind === 'end') {
      if (act.progress) await runs.saveProgress(run.id, act.progress);
      await settleAndShow(parent, ['sent'], act.end);
      return;
    }
    const progress = toProgress(current);
    const text = JSON.stringify([progress, parent.stoppedBy]);
    if (text !== shown) await runs.showView(parent, { progress });
    shown = text;
    if (act.kind === 'start') {
      const claimed = await claimSnapshotPart(begun, current, act.part, services);
      if (claimed.kind === 'next') await startPart(claimed.context, services);
    }
    await setTimeout(pollMs, undefined, { signal: stopping }).catch(() => undefined);
  }
}

/** Refuses the change if its target is no longer in the state that was confirmed. */
export async function compareStateAfterSnapshot(
  part: SnapshotPartRun,
  services: RunServices,
): Promise<Next<SnapshotPartRun>> {
  const { run, operation, parsed, operationContext, confirmedState } = part;
  if (confirmedState === null) return next(part);
  const state = await operation.readTargetState?.(operationContext, parsed.input);
  if (!state || state.fingerprint === confirmedState) return next(part);
  const message = 'The target has changed since this was confirmed.';
  const error = new RackhandError('target_changed', message);
  return refuse(run, toProblem(error, { isChanging: false }), services);
}

function findSnapshotOperation({ catalogue }: RunServices): ChangeOperation {
  const operation = catalogue.find('snapshot create');
  if (operation?.kind !== 'change') throw new Error('there is no operation that takes a snapshot');
  return operation;
}

function toPartKey({ id }: Run, part: 'snapshot' | 'change'): string {
  return `snapshot-first:${id}:${part}`;
}

async function claimSnapshotPart(
  parent: ChangeRun<ActiveRun>,
  { operation, snapshotOperation, deadlineMs }: SnapshotFirst,
  part: 'snapshot' | 'change',
  services: RunServices,
): Promise<Next<SnapshotPartRun>> {
  const { run } = parent;
  const { snapshotFirst: _, ...input } = run.input;
  const { vps = '', reason } = input;
  const parts = {
    snapshot: {
      operation: snapshotOperation,
      raw: {
        vps,
        name: toAutomaticName(`before ${run.operation}`, run.queuedMs, run.id),
        ...(reason !== undefined && { reason }),
      },
      confirmedState: null,
    },
    change: { operation, raw: input, confirmedState: run.confirmedState },
  };
  const { confirmedState, ...chosen } = parts[part];
  const request = { ...chosen, requestKey: toPartKey(run, part), displayNames: run.displayNames };
  const claimed = await claimPart(parent, request, deadlineMs, services);
  return claimed.kind === 'end' ? claimed : next({ ...claimed.context, confirmedState });
}
