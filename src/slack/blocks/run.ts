import type { types } from '@slack/bolt';
import { formatDuration } from '../../charts/format/format-quantity.ts';
import type { Fact, NextStep, RedactedOutcome, SecretRef } from '../../operations/define/outcome.ts';
import type { Progress } from '../../operations/define/target-state.ts';
import { formatQueueWait } from '../../operations/format/queue-wait.ts';
import type { Problem } from '../../runs/problem.ts';
import type { QueueWait, Run } from '../../runs/run.ts';
import { runStatusLabels } from '../../runs/run-status.ts';
import { statedFacts } from '../../runs/stated-reason.ts';
import { actionIds } from './elements/action-ids.ts';
import { buttonRow, factLines, headingBlock, mrkdwn, noteBlocks, stepButtons } from './elements/blocks.ts';
import { button, withSpokenLabel } from './elements/buttons.ts';
import { fitMessage } from './elements/fit-message.ts';
import { escapeText, formatDate, notificationText, truncate } from './elements/text.ts';
import type { Message } from './message.ts';
import { chooseBlocks, secretButtons, secretNote } from './outcome.ts';
import { problemBlocks } from './problem.ts';
import type { FormatPerson } from './resolve-mentions.ts';

/** Content of a run's message that the run itself doesn't contain. */
export interface RunView {
  readonly title: string;
  readonly statusText: string;
  readonly formatPerson: FormatPerson;
  readonly wait?: QueueWait;
  /** Whether the run has several parts and can still be stopped. */
  readonly canStop?: boolean;
  /** Whether the run's secret can still be shown. */
  readonly isSecretLeft?: boolean;
  /** What the requester can do while the run waits for approval. */
  readonly waitingSteps?: readonly NextStep[];
  readonly note?: string;
}

/** Maximum length of a title, which leaves room for the status in a notification. */
const titleChars = 300;

/** Renders a run's message, which is edited until the run has ended. */
export function renderRun(
  run: Run,
  {
    title,
    statusText,
    formatPerson,
    wait,
    canStop = false,
    isSecretLeft = false,
    waitingSteps,
    note,
  }: RunView,
): Message {
  const { actor, status, result, progress, approval } = run;
  const statusLine =
    status === 'waiting' && approval
      ? '⏸️ Waiting for approval'
      : status === 'queued' && wait
        ? `${statusText}, ${formatQueueWait(wait.waitMs, wait.waitReason)}`
        : statusText;
  const outcome = result?.kind === 'outcome' ? result.outcome : undefined;
  const problem = result?.kind === 'problem' ? result.problem : undefined;
  const secret = secretParts(findSecretRef(run), isSecretLeft, title);
  const decliner =
    problem?.decidedBy && problem.decidedBy !== actor.userId
      ? ` by ${escapeText(formatPerson(problem.decidedBy))}`
      : '';
  return {
    text: notificationText(`${truncate(title, titleChars)}: ${statusLine}`),
    blocks: fitMessage([
      headingBlock(title),
      mrkdwn(
        `${statusLine}${formatEnd(run, statusText)}${decliner} · requested by ${escapeText(formatPerson(actor.userId))}${formatApprover(run, formatPerson)}`,
      ),
      ...factLines(statedFacts(run)),
      ...(outcome ? outcomeBlocks(outcome, progress) : []),
      ...(progress?.text ? [mrkdwn(escapeText(progress.text)), ...factLines(progress.facts ?? [])] : []),
      ...(problem ? runProblemBlocks(problem, progress) : []),
      ...noteBlocks([...(outcome?.notes ?? []), ...(note ? [note] : [])]),
      ...secret.note,
      ...chooseBlocks(outcome?.choiceSteps),
      ...buttonRow([
        ...secret.buttons,
        ...stepButtons(outcome?.next ?? problem?.nextSteps, title),
        ...stepButtons(waitingSteps).map((shown) => withSpokenLabel(shown, `${shown.text.text}: ${title}`)),
        ...stopButtons(run, { title, canStop, ...(wait && { wait }) }),
      ]),
    ]),
  };
}

function formatApprover({ actor, approval }: Run, formatPerson: FormatPerson): string {
  if (!approval?.approverId) return '';
  return approval.approverId === actor.userId
    ? ', who broke the glass, so no second person approved it'
    : ` · approved by ${escapeText(formatPerson(approval.approverId))}`;
}

/** Formats when a run ended, and how long after it was queued. */
function formatEnd({ queuedMs, settledMs, progress }: Run, statusText: string): string {
  const endedMs = progress?.endedMs ?? settledMs;
  const hasEnded = statusText === runStatusLabels.done || statusText === runStatusLabels.failed;
  if (endedMs === null || !hasEnded) return '';
  const tookMs = queuedMs === null ? 0 : endedMs - queuedMs;
  const took = tookMs < 1_000 ? '' : ` after ${formatDuration(tookMs)}`;
  return `${took}, at ${formatDate(endedMs, '{time}')}`;
}

export function findSecretRef({ result, progress }: Run): SecretRef | undefined {
  return (result?.kind === 'outcome' ? result.outcome.secretRef : undefined) ?? progress?.secretRef;
}

function secretParts(secretRef: SecretRef | undefined, isLeft: boolean, title: string) {
  if (!secretRef) return { note: [], buttons: [] };
  if (isLeft) return { note: secretNote(secretRef), buttons: secretButtons(secretRef, title) };
  return { note: noteBlocks([`${secretRef.labels.join(', ')}: already shown, or expired.`]), buttons: [] };
}

/** Returns the button that stops a run, or cancels one that is waiting for the quota. */
function stopButtons(
  { id, status }: Run,
  { title, wait, canStop }: Pick<RunView, 'title' | 'wait' | 'canStop'>,
): types.Button[] {
  const label = canStop ? 'Stop' : status === 'queued' && wait ? 'Cancel' : undefined;
  if (label === undefined) return [];
  return [withSpokenLabel(button(actionIds.stopRun, label, id), `${label}: ${title}`)];
}

/** Renders the message that tells the requester what was decided, by whom, and with what result. */
export function renderDecision(
  { actor, result, approval }: Run,
  { title, statusText, formatPerson }: Pick<RunView, 'title' | 'statusText' | 'formatPerson'>,
): Message {
  const problem = result?.kind === 'problem' ? result.problem : undefined;
  const decision = approval?.approverId
    ? [`approved by ${formatPerson(approval.approverId)}`]
    : problem?.decidedBy
      ? [`declined by ${formatPerson(problem.decidedBy)}`]
      : problem?.code === 'deadline_passed'
        ? ['no one approved it in time']
        : [];
  const statusLine = [...decision, statusText].join(' · ');
  const shortTitle = truncate(title, titleChars);
  return {
    text: notificationText(`${shortTitle}: ${statusLine}`),
    blocks: [mrkdwn(`<@${actor.userId}> *${escapeText(shortTitle)}*: ${escapeText(statusLine)}`)],
  };
}

/** Renders the direct message that says how a run ended. */
export function renderRunNotice(
  { result, progress }: Run,
  { title, statusText, link }: Pick<RunView, 'title' | 'statusText'> & { readonly link: string | undefined },
): Message {
  const shortTitle = truncate(title, titleChars);
  const detail = result?.kind === 'problem' ? result.problem.message : progress?.text;
  const lines = [
    `*${escapeText(shortTitle)}*: ${escapeText(statusText)}`,
    ...(detail ? [escapeText(detail)] : []),
    ...(link === undefined ? [] : [`<${link}|Show the message>`]),
  ];
  return { text: notificationText(`${shortTitle}: ${statusText}`), blocks: [mrkdwn(lines.join('\n'))] };
}

/**
 * Renders a problem. Once progress is known, leaves out the states that the problem lists, because they
 * are outdated by then.
 */
function runProblemBlocks(problem: Problem, progress: Progress | null): types.KnownBlock[] {
  const facts = progress?.text ? withoutStates(problem.facts ?? []) : (problem.facts ?? []);
  return [mrkdwn(escapeText(problem.message)), ...problemBlocks({ ...problem, facts })];
}

const withoutStates = (facts: readonly Fact[]) =>
  facts.filter(({ value }) => typeof value === 'string' || value.kind !== 'state');

/**
 * Renders an outcome. Once progress is known, leaves out the states that the outcome lists, because they
 * are outdated by then.
 */
function outcomeBlocks(
  { title, facts = [] }: RedactedOutcome,
  progress: Progress | null,
): types.KnownBlock[] {
  if (!progress?.text) return [mrkdwn(escapeText(title)), ...factLines(facts)];
  return [
    ...(progress.isFinished && !progress.isEndUnknown ? [] : [mrkdwn(escapeText(title))]),
    ...factLines(withoutStates(facts)),
  ];
}
