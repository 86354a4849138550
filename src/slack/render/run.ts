import type { Run } from '../../operations/runs/run.ts';
import { buttonRow, factLines, heading, mrkdwn, notes, stepButtons } from './blocks.ts';
import type { Message } from './message.ts';
import { chooseBlocks, keptNote, secretButtons } from './outcome.ts';
import { problemBlocks } from './problem.ts';
import { clip, escapeText, notificationText } from './text.ts';

/** How a run's message is shown. */
export interface RunView {
  /** Names the act with its target. */
  readonly title: string;
  /** How long it is estimated to wait for the quota. */
  readonly waitMs?: number;
  /** Small print. */
  readonly note?: string;
}

/** A title that is longer must not push the state out of a notification. */
const titleChars = 300;

/** Writes a state of a run by symbol and word. */
export const statusWords = {
  refused: '🚫 Refused',
  waiting: '⏸️ Waiting',
  queued: '⏳ Queued',
  sent: '🔄 Running',
  done: '✅ Done',
  failed: '❌ Failed',
  unknown: '❔ Outcome unknown',
  expired: '💤 Not run',
} as const;

/** Shows how a run stands, in the message that is edited until it has ended. */
export function renderRun(
  { asker, status, result, progress }: Run,
  { title, waitMs, note }: RunView,
): Message {
  const words =
    status === 'queued' && waitMs !== undefined
      ? `${statusWords.queued}, ${aboutTime(waitMs)}`
      : statusWords[status];
  const outcome = result?.kind === 'outcome' ? result.outcome : undefined;
  const problem = result?.kind === 'problem' ? result.problem : undefined;
  return {
    text: notificationText(`${clip(title, titleChars)}: ${words}`),
    blocks: [
      heading(title),
      mrkdwn(`${words} · asked by <@${asker.userId}>`),
      ...(outcome ? [mrkdwn(escapeText(outcome.title)), ...factLines(outcome.facts ?? [])] : []),
      ...(progress?.words ? [mrkdwn(escapeText(progress.words)), ...factLines(progress.facts ?? [])] : []),
      ...(problem ? [mrkdwn(escapeText(problem.what)), ...problemBlocks(problem)] : []),
      ...notes([...(outcome?.notes ?? []), ...(note ? [note] : [])]),
      ...keptNote(outcome?.kept),
      ...chooseBlocks(outcome?.choose),
      ...buttonRow([...secretButtons(outcome?.kept), ...stepButtons(outcome?.next ?? problem?.steps)]),
    ],
  };
}

/** Writes an estimate as "about 12 s" or "about 3 min". */
export function aboutTime(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 90 ? `about ${seconds} s` : `about ${Math.round(seconds / 60)} min`;
}
