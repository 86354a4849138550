import type { Operation } from '../operations/define/operation.ts';
import type { Run } from './run.ts';

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

/** Formats a run's state. While progress is polled, a run stays in progress until the work is seen to end. */
export function formatRunStatus(
  run: Pick<Run, 'status' | 'progress'>,
  operation: Operation | undefined,
): string {
  const { status, progress } = run;
  if (status !== 'done' || !isPolled(operation)) return runStatusLabels[status];
  if (!progress?.isFinished) return '🔄 In progress';
  return progress.isEndUnknown ? '🔄 In progress when last checked' : runStatusLabels.done;
}

/** Returns whether a run's call is queued or sent, or its progress is still being polled. */
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
