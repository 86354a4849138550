import type { ChangeOperation } from '../../operations/define/operation.ts';
import type { Fact } from '../../operations/define/outcome.ts';
import { maxProgressMs } from '../progress-poller.ts';
import type { Run } from '../run.ts';
import { formatRunStatus } from '../run-status.ts';

/** Maximum length of a problem, to leave room for every VPS in the message. */
const maxProblemChars = 100;

export interface BatchTarget {
  readonly vps: string;
  readonly label: string;
  /** The state shown on the card. Undefined if the service shows none. */
  readonly shownState: string | undefined;
  /** Undefined if no run has been created. */
  readonly run: Run | undefined;
}

export type TargetPhase =
  /** No run was created. */
  | 'open'
  /** The run, or the work that continues after its call, hasn't ended. */
  | 'active'
  | 'done'
  /** The call was made, but Rackhand didn't see the work end. */
  | 'unseen'
  | 'failed';

export function findPhase(target: BatchTarget, inner: ChangeOperation, nowMs: number): TargetPhase {
  const { run } = target;
  if (!run) return 'open';
  if (['waiting', 'queued', 'sent'].includes(run.status)) return 'active';
  if (run.status !== 'done') return 'failed';
  if (!inner.readProgress) return 'done';
  const { progress } = run;
  if (!progress?.isFinished) return nowMs - (run.settledMs ?? nowMs) > maxProgressMs ? 'unseen' : 'active';
  if (progress.isEndUnknown && !hasKeptState(target, inner)) return 'unseen';
  return hasLostState(target, inner) ? 'failed' : 'done';
}

/** Returns whether a VPS should have returned to the state shown on the card but hasn't. */
function hasLostState({ shownState, run }: BatchTarget, { several }: ChangeOperation): boolean {
  const state = run?.progress?.state;
  if (!several?.keepsState || shownState === undefined || state === undefined) return false;
  return !isSameState(shownState, state);
}

/** Returns whether a VPS is back in the state shown on the card. */
function hasKeptState({ shownState, run }: BatchTarget, { several }: ChangeOperation): boolean {
  const state = run?.progress?.state;
  return several?.keepsState === true && !!state && !!shownState && isSameState(shownState, state);
}

/** Compares states, ignoring case and separators. */
export function isSameState(a: string, b: string): boolean {
  const normalize = (state: string) => state.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return normalize(a) === normalize(b);
}

/** Returns whether this phase keeps a paced batch from starting other VPS. */
export function isReasonToStop(phase: TargetPhase): boolean {
  return phase === 'failed' || phase === 'unseen';
}

/** Returns one fact per VPS, with its phase. `isOver` means that the batch won't start the rest. */
export function listTargetFacts(
  targets: readonly BatchTarget[],
  inner: ChangeOperation,
  { isOver, nowMs }: { readonly isOver: boolean; readonly nowMs: number },
): readonly Fact[] {
  return targets.map((target) => ({ label: target.label, value: describe(target, inner, isOver, nowMs) }));
}

function describe(target: BatchTarget, inner: ChangeOperation, isOver: boolean, nowMs: number): string {
  const { run } = target;
  if (!run) return isOver ? '⏹️ Not started' : '⏳ Waiting';
  const { result, progress } = run;
  if (run.status === 'waiting') return '⏳ Checking';
  if (result?.kind === 'problem') return `${formatRunStatus(run, inner)}: ${shorten(result.problem.message)}`;
  const state = progress?.state;
  switch (findPhase(target, inner, nowMs)) {
    case 'failed':
      return `❌ ${state}, was ${target.shownState}`;
    case 'unseen':
      return '❓ Accepted, but Rackhand did not see it finish';
    case 'done':
      return `✅ ${state ?? 'Done'}`;
    default:
      return run.status === 'done' && state !== undefined ? `🔄 ${state}` : formatRunStatus(run, inner);
  }
}

function shorten(text: string): string {
  return text.length > maxProblemChars ? `${text.slice(0, maxProblemChars - 1)}…` : text;
}

/** Formats how many VPS are in each phase: "12 of 40 done, 2 failed, 3 running, 23 waiting". */
export function formatCounts(phases: readonly TargetPhase[], isOver: boolean): string {
  const count = (...wanted: readonly TargetPhase[]) =>
    phases.filter((phase) => wanted.includes(phase)).length;
  const parts: readonly (readonly [number, string])[] = [
    [count('failed'), 'failed'],
    [count('unseen'), 'not seen to finish'],
    [count('active'), 'running'],
    [count('open'), isOver ? 'not started' : 'waiting'],
  ];
  const shown = parts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  return [`${count('done')} of ${phases.length} done`, ...shown].join(', ');
}
