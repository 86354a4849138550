import { z } from 'zod';
import type { Database } from '../db/engines/database.ts';
import type { Outbox } from '../messages/outbox.ts';
import type { Progress } from '../operations/define/target-state.ts';
import type { QueueWait, Run } from './run.ts';
import { findStatedReason } from './stated-reason.ts';

/** State that an unfinished run's message shows but the stored run doesn't have. */
export interface RunView {
  readonly wait?: QueueWait | undefined;
  readonly progress?: Progress | undefined;
}

export const runMessageKinds = {
  /** A change's message, edited until the change has ended. */
  run: 'run',
  /** The notice that mentions the requester once someone else has decided. */
  decision: 'run-decision',
  /** The reply to a person, if the original was lost. */
  reply: 'run-reply',
} as const;

export const runMessageContent = z.object({
  runId: z.string(),
  wait: z.custom<QueueWait>((value) => typeof value === 'object').optional(),
  progress: z.custom<Progress>((value) => typeof value === 'object').optional(),
});

export const toRunMessageKey = (runId: string) => `run:${runId}`;

export interface RunMessages {
  /** Shows a run. Called in the transaction that changes the run. */
  show(run: Run, transaction: Database): Promise<void>;
  /** Sends the messages that committed transactions have put in the outbox. */
  wake(): void;
  /** Shows the wait or the progress of an unfinished run. */
  showView(run: Run, view: RunView): Promise<void>;
}

/**
 * Closes a run's approval request once the run no longer awaits approval. Passes on the decision, if there
 * was one, and the run's reason.
 */
export type CloseAsk = (
  ask: { readonly id: string; readonly teamId: string; readonly messageKey: string },
  decision: { readonly verdict: 'approved' | 'declined'; readonly by: string } | null,
  transaction: Database,
  reason: string | undefined,
) => Promise<void>;

interface RunMessagesOptions {
  /**
   * Called each time that a run with its own message is shown after it has ended, such as when its
   * progress changes.
   */
  readonly onEnded?: (run: Run, transaction: Database) => Promise<void>;
  readonly closeAsk?: CloseAsk;
}

export function createRunMessages(
  { put, wake }: Pick<Outbox, 'put' | 'wake'>,
  { onEnded = async () => {}, closeAsk = async () => {} }: RunMessagesOptions = {},
): RunMessages {
  async function putRun(run: Run, more: object, transaction?: Database): Promise<void> {
    const { id, settledMs, progress } = run;
    const isMinor = settledMs === null || (progress !== null && !progress.isFinished);
    const content = { runId: id, ...more };
    await put(
      toRunMessageKey(id),
      toDestination(run),
      { kind: runMessageKinds.run, content, isMinor, ...toSubject(run) },
      transaction,
    );
  }

  /** Notifies the requester of a decision. Editing the run's message isn't enough, because edits notify no one. */
  const notifyDecision = (run: Run, transaction: Database) =>
    put(
      `${runMessageKinds.decision}:${run.id}`,
      {
        ...toDestination(run),
        ...(isInThread(run) ? {} : { threadKey: toRunMessageKey(run.id) }),
      },
      { kind: runMessageKinds.decision, content: { runId: run.id }, ...toSubject(run) },
      transaction,
    );

  const putReply = ({ id, actor: { teamId, userId }, ...run }: Run, transaction: Database) =>
    put(
      `${runMessageKinds.reply}:${id}`,
      { teamId, channel: userId },
      { kind: runMessageKinds.reply, content: { runId: id }, about: run.title ?? run.operation },
      transaction,
    );

  async function showPublic(run: Run, transaction: Database): Promise<void> {
    const { actor, id, approval, status, settledMs, queuedMs } = run;
    await putRun(run, {}, transaction);
    const isDecided = status === 'queued' || (settledMs !== null && queuedMs === null);
    if (isDecided && approval?.askId) {
      const ask = { id: approval.askId, teamId: actor.teamId, messageKey: toRunMessageKey(id) };
      await closeAsk(ask, findApprovalDecision(run), transaction, findStatedReason(run));
    }
    if (settledMs === null) return;
    if (isDecidedByOther(run)) await notifyDecision(run, transaction);
    await onEnded(run, transaction);
  }

  return {
    async show(run, transaction) {
      // A batch reports its runs in its own message.
      if (run.batchId !== undefined) return;
      const isPublic = run.title !== null && (run.queuedMs !== null || run.approval !== null);
      if (isPublic) await showPublic(run, transaction);
      else if (run.settledMs !== null) await putReply(run, transaction);
    },
    wake,
    showView: (run, view) => (run.batchId === undefined ? putRun(run, view) : Promise.resolve()),
  };
}

function findApprovalDecision({ approval, result }: Run) {
  if (approval?.approverId) return { verdict: 'approved', by: approval.approverId } as const;
  const decidedBy = result?.kind === 'problem' ? result.problem.decidedBy : undefined;
  return decidedBy === undefined ? null : ({ verdict: 'declined', by: decidedBy } as const);
}

export const isInThread = ({ origin }: Run) =>
  origin.threadTs !== undefined || origin.threadKey !== undefined;

/** Sends a run's message to the channel of its request or, if the app can't post there, to the actor. */
function toDestination({ actor: { teamId, userId }, origin: { channel, threadTs, threadKey } }: Run) {
  return channel === undefined
    ? { teamId, channel: userId }
    : { teamId, channel, threadTs, threadKey, fallbacks: [userId] };
}

function toSubject({ title, operation, actor }: Run) {
  return { about: title ?? operation, creator: actor.userId };
}

/** Returns whether someone other than the actor has just decided on a run that needed approval. */
function isDecidedByOther({ actor, approval, progress, result }: Run): boolean {
  const decidedBy = result?.kind === 'problem' ? result.problem.decidedBy : undefined;
  const isOwnDecision = [decidedBy, approval?.approverId].includes(actor.userId);
  return approval !== null && progress === null && !isOwnDecision;
}
