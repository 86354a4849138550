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
  { status, progress }: Pick<Run, 'status' | 'progress'>,
  operation: Operation | undefined,
): string {
  const isPolled = operation?.kind === 'change' && operation.readProgress !== undefined;
  if (status !== 'done' || !isPolled) return runStatusLabels[status];
  if (!progress?.isFinished) return '🔄 In progress';
  return progress.isEndUnknown ? '🔄 In progress when last checked' : runStatusLabels.done;
}
