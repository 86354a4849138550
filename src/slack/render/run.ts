import type { types } from '@slack/bolt';
import { aboutTime } from '../../operations/duration.ts';
import type { Progress } from '../../operations/operation.ts';
import type { ToldOutcome } from '../../operations/outcome.ts';
import type { Run } from '../../operations/runs/run.ts';
import type { PersonWords } from '../with-names.ts';
import { buttonRow, factLines, heading, mrkdwn, notes, stepButtons } from './blocks.ts';
import { fitMessage } from './fit.ts';
import type { Message } from './message.ts';
import { chooseBlocks, keptNote, secretButtons } from './outcome.ts';
import { problemBlocks } from './problem.ts';
import { clip, escapeText, notificationText } from './text.ts';

/** How a run's message is shown. */
export interface RunView {
  /** Names the act with its target. */
  readonly title: string;
  /** Says how it stands. */
  readonly standing: string;
  readonly nameOf: PersonWords;
  /** How long it is estimated to wait for the quota. */
  readonly waitMs?: number;
  /** Small print. */
  readonly note?: string;
}

/** A title that is longer must not push the state out of a notification. */
const titleChars = 300;

/** Shows how a run stands, in the message that is edited until it has ended. */
export function renderRun(
  { asker, status, result, progress, approval }: Run,
  { title, standing, nameOf, waitMs, note }: RunView,
): Message {
  const approver = approval?.approverId ? ` · approved by ${escapeText(nameOf(approval.approverId))}` : '';
  const words =
    status === 'waiting' && approval
      ? '⏸️ Waiting for a second person'
      : status === 'queued' && waitMs !== undefined
        ? `${standing}, ${aboutTime(waitMs)}`
        : standing;
  const outcome = result?.kind === 'outcome' ? result.outcome : undefined;
  const problem = result?.kind === 'problem' ? result.problem : undefined;
  const decliner = problem?.by && problem.by !== asker.userId ? ` by ${escapeText(nameOf(problem.by))}` : '';
  return {
    text: notificationText(`${clip(title, titleChars)}: ${words}`),
    blocks: fitMessage([
      heading(title),
      mrkdwn(`${words}${decliner} · asked by ${escapeText(nameOf(asker.userId))}${approver}`),
      ...(outcome ? toldBlocks(outcome, progress) : []),
      ...(progress?.words ? [mrkdwn(escapeText(progress.words)), ...factLines(progress.facts ?? [])] : []),
      ...(problem ? [mrkdwn(escapeText(problem.what)), ...problemBlocks(problem)] : []),
      ...notes([...(outcome?.notes ?? []), ...(note ? [note] : [])]),
      ...keptNote(outcome?.kept),
      ...chooseBlocks(outcome?.choose),
      ...buttonRow([...secretButtons(outcome?.kept), ...stepButtons(outcome?.next ?? problem?.steps)]),
    ]),
  };
}

/** Tells whoever asked what others have decided, and what came of it. */
export function renderDecision(
  { asker, result, approval }: Run,
  { title, standing, nameOf }: Pick<RunView, 'title' | 'standing' | 'nameOf'>,
): Message {
  const problem = result?.kind === 'problem' ? result.problem : undefined;
  const decided = approval?.approverId
    ? [`approved by ${nameOf(approval.approverId)}`]
    : problem?.by
      ? [`declined by ${nameOf(problem.by)}`]
      : problem?.code === 'deadline_passed'
        ? ['nobody approved it in time']
        : [];
  const words = [...decided, standing].join(' · ');
  const what = clip(title, titleChars);
  return {
    text: notificationText(`${what}: ${words}`),
    blocks: [mrkdwn(`<@${asker.userId}> *${escapeText(what)}*: ${escapeText(words)}`)],
  };
}

/** Shows what the call answered; of the state, which has moved on since, only what was seen last. */
function toldBlocks({ title, facts = [] }: ToldOutcome, progress: Progress | null): types.KnownBlock[] {
  if (!progress?.words) return [mrkdwn(escapeText(title)), ...factLines(facts)];
  const lasting = facts.filter(({ value }) => typeof value === 'string' || !('state' in value));
  return [
    ...(progress.isOver && !progress.isUnseen ? [] : [mrkdwn(escapeText(title))]),
    ...factLines(lasting),
  ];
}
