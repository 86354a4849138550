import type { Operation } from '../operation.ts';
import type { Run } from './run.ts';

/** Writes a state of a run by symbol and word. */
export const statusWords = {
  refused: '🚫 Refused',
  waiting: '⏸️ Waiting',
  queued: '⏳ Queued',
  sent: '🔄 Running',
  done: '✅ Done',
  failed: '❌ Failed',
  unknown: '❓ Outcome unknown',
  expired: '💤 Not run',
} as const;

/** Writes how a run stands: what is followed after its call is under way until its end has been seen. */
export function standingWords(
  { status, progress }: Pick<Run, 'status' | 'progress'>,
  operation: Operation | undefined,
): string {
  const isFollowed = operation?.kind === 'change' && operation.follow !== undefined;
  if (status !== 'done' || !isFollowed) return statusWords[status];
  if (!progress?.isOver) return '🔄 Under way';
  return progress.isUnseen ? '🔄 Under way when last seen' : statusWords.done;
}
