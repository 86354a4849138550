import type { Operation } from '../operations/define/operation.ts';
import type { Run } from './run.ts';

/** A symbol and a word for each state of a run. */
export const runStatusLabels = {
  refused: '🚫 Refused',
  waiting: '⏸️ Waiting',
  queued: '⏳ Queued',
  sent: '🔄 Running',
  done: '✅ Done',
  failed: '❌ Failed',
  unknown: '❓ Outcome unknown',
  expired: '💤 Not run',
} as const;

/**
 * Formats a run's state. If its progress is polled, the run counts as under way until the end of
 * the work was seen.
 */
export function formatRunStatus(
  run: Pick<Run, 'status' | 'progress'>,
  operation: Operation | undefined,
): string {
  const { status, progress } = run;
  if (status !== 'done' || !isPolled(operation)) return runStatusLabels[status];
  if (!progress?.isFinished) return '🔄 In progress';
  return progress.isEndUnknown ? '🔄 In progress when last checked' : runStatusLabels.done;
}

/** Returns whether a run waits for its call, or whether its work is still being followed. */
export function isInProgress(
  { status, progress }: Pick<Run, 'status' | 'progress'>,
  operation: Operation | undefined,
): boolean {
  if (status === 'queued' || status === 'sent') return true;
  return status === 'done' && isPolled(operation) && !progress?.isFinished;
}

function isPolled(operation: Operation | undefined): boolean {
  return operation?.kind === 'change' && operation.readProgress !== undefined;
}
