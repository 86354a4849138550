import { RackhandError } from '../../errors.ts';
import type { ChangeOperation } from '../../operations/define/operation.ts';
import type { Fact } from '../../operations/define/outcome.ts';
import type { Progress } from '../../operations/define/target-state.ts';
import { isComplete } from '../../operations/snapshot/snapshot-state.ts';
import { isOutcomeUnknown, toProblem, tryAgain, unreadableRunProblem } from '../problem.ts';
import { maxProgressMs } from '../progress-poller.ts';
import { createProblemEnd, type Run, type RunSettlement } from '../run.ts';
import { formatRunStatus } from '../run-status.ts';

/** A change that waits for a snapshot, and its two parts. A part that hasn't begun is undefined. */
export interface SnapshotFirst {
  readonly parent: Run;
  readonly operation: ChangeOperation;
  readonly snapshotOperation: ChangeOperation;
  readonly snapshot: Run | undefined;
  readonly change: Run | undefined;
  /** Time (epoch ms) after which the change no longer begins. */
  readonly deadlineMs: number;
}

export type NextAct =
  | { readonly kind: 'wait' }
  | { readonly kind: 'start'; readonly part: 'snapshot' | 'change' }
  | { readonly kind: 'end'; readonly end: RunSettlement; readonly progress: Progress | null };

/** Returns the next action. The change begins only if the service shows that the snapshot is complete. */
export function decideNext(current: SnapshotFirst, nowMs: number): NextAct {
  const { parent, operation, snapshot, change, deadlineMs } = current;
  if (change) return followChange(current, change, nowMs);
  const notBegun = (message: string, serviceMessage?: string): NextAct => {
    const problem = toProblem(new RackhandError('snapshot_incomplete', message), { isChanging: false });
    const end = createProblemEnd('failed', {
      ...problem,
      ...(serviceMessage !== undefined && { serviceMessage }),
      changed: describeSnapshot(snapshot) ?? problem.changed,
      nextSteps: [{ label: tryAgain, operation: operation.name, input: parent.input }],
    });
    return { kind: 'end', end, progress: null };
  };
  if (parent.stoppedBy !== undefined) return notBegun('This was stopped before the snapshot was complete.');
  if (snapshot?.result?.kind === 'problem') {
    const { message, serviceMessage } = snapshot.result.problem;
    const doubt = "It's unknown whether the snapshot was taken";
    const failure = snapshot.status === 'unknown' ? doubt : 'The snapshot was not taken';
    return notBegun(`${failure}: ${message}`, serviceMessage);
  }
  if (nowMs >= deadlineMs) return notBegun('The snapshot was not complete within an hour.');
  if (!snapshot) return { kind: 'start', part: 'snapshot' };
  const { progress } = snapshot;
  if (snapshot.settledMs === null || !progress?.isFinished) return { kind: 'wait' };
  if (progress.isEndUnknown || !isComplete(progress.state))
    return notBegun(`The service doesn't show that the snapshot is complete. ${progress.text}`);
  return { kind: 'start', part: 'change' };
}

/** Describes the snapshot's state. Returns undefined if the snapshot certainly wasn't requested. */
function describeSnapshot(snapshot: Run | undefined): string | undefined {
  if (!snapshot || (snapshot.result?.kind === 'problem' && snapshot.status !== 'unknown')) return undefined;
  const { name } = snapshot.input;
  return snapshot.status === 'done'
    ? `The service has accepted snapshot ${name}. Nothing else was changed.`
    : `Snapshot ${name} may have been taken. Nothing else was changed.`;
}

function followChange({ operation, snapshot }: SnapshotFirst, change: Run, nowMs: number): NextAct {
  const { settledMs, status, result, progress } = change;
  if (settledMs === null) return { kind: 'wait' };
  const name = String(snapshot?.input.name);
  const snapshotFact = { label: 'Snapshot', value: name };
  if (status !== 'done') {
    const problem =
      result?.kind === 'problem'
        ? result.problem
        : unreadableRunProblem({ isChanging: status === 'unknown' });
    const problemAfterSnapshot = {
      ...problem,
      ...(!isOutcomeUnknown(problem) && { changed: `Snapshot ${name} was taken. Nothing else was changed.` }),
      facts: [snapshotFact, ...(problem.facts ?? [])],
    };
    return { kind: 'end', end: createProblemEnd(status, problemAfterSnapshot), progress };
  }
  const isFollowed = operation.readProgress !== undefined && !progress?.isFinished;
  if (isFollowed && nowMs < settledMs + maxProgressMs) return { kind: 'wait' };
  const outcome = result?.kind === 'outcome' ? result.outcome : { title: change.title ?? operation.heading };
  const facts = [snapshotFact, ...(outcome.facts ?? [])];
  const done = { kind: 'outcome', outcome: { ...outcome, facts } } as const;
  return { kind: 'end', end: { status: 'done', result: done }, progress };
}

/** Returns the progress of both parts, for the parent's message. */
export function toProgress({
  operation,
  snapshotOperation,
  snapshot,
  change,
}: SnapshotFirst): Progress & { readonly facts: readonly Fact[] } {
  const secretRef = change?.result?.kind === 'outcome' ? change.result.outcome.secretRef : undefined;
  const describe = (part: Run | undefined, partOperation: ChangeOperation) =>
    part ? part.progress?.text || formatRunStatus(part, partOperation) : '⏳ Waiting';
  return {
    isFinished: false,
    text: change ? 'The snapshot is complete.' : 'Taking a snapshot first.',
    ...(change && { isBeyondStop: true }),
    ...(secretRef && { secretRef }),
    facts: [
      { label: 'Snapshot', value: describe(snapshot, snapshotOperation) },
      { label: operation.button, value: describe(change, operation) },
    ],
  };
}
