import type { Logger } from 'pino';
import { RackhandError } from '../../../errors.ts';
import type { Origin } from '../../../operations/define/access/actor.ts';
import type { Catalogue } from '../../../operations/define/operation.ts';
import { lostReplyProblem } from '../../../runs/problem.ts';
import type { Announce, MessageRef, QueueWait, Run } from '../../../runs/run.ts';
import type { RunStore } from '../../../runs/store/run-store.ts';
import type { Message } from '../../blocks/message.ts';
import { renderOutcome } from '../../blocks/outcome.ts';
import { renderProblem } from '../../blocks/problem.ts';
import type { SlackClient, SlackClients } from '../../client/slack-clients.ts';
import { isSlackAway } from '../../client/slack-errors.ts';
import { closeApprovalCards } from '../cards/close-approval-cards.ts';
import {
  editRunMessage,
  isPostedElsewhere,
  postRunMessage,
  type RenderMessage,
} from '../post-run-message.ts';
import { createReply, directMessageNotices } from '../reply.ts';
import { postToResponseUrl } from '../response-url.ts';
import type { RunMessageRenderer } from '../run-message-renderer.ts';

interface RunPublisherDependencies {
  readonly clients: SlackClients;
  readonly runs: RunStore;
  readonly catalogue: Catalogue;
  readonly runMessages: RunMessageRenderer;
  /** Called after the end of a run was published, even if that failed. If it rejects, the end is announced again later. */
  readonly onEnded: (run: Run) => Promise<void>;
  readonly log: Pick<Logger, 'error'>;
}

export interface RunPublisher {
  readonly publish: Announce;
  /** Renders the message again that shows a run, which can be a part of another one. */
  refresh(run: Run): Promise<void>;
  /** Resolves when everything published so far has been posted. */
  drained(): Promise<void>;
}

interface RunUpdate {
  readonly run: Run;
  readonly wait?: QueueWait;
}

/**
 * Posts one message for each run and edits it. The message is in the channel of the request, or in
 * direct messages to the actor if the app isn't in that channel. If updates arrive faster than
 * Slack accepts them, only the last one is posted.
 */
export function createRunPublisher({
  clients,
  runs,
  catalogue,
  runMessages,
  onEnded,
  log,
}: RunPublisherDependencies): RunPublisher {
  const latest = new Map<string, RunUpdate>();
  const publishing = new Map<string, Promise<void>>();
  const messages = new Map<string, MessageRef>();
  /** The newest update of each run that hasn't ended. */
  const shown = new Map<string, RunUpdate>();
  const closed = new Set<string>();
  /** The runs whose approval cards the current update could not close because Slack was away. */
  const unclosed = new Set<string>();
  const undecided = new Set<string>();
  /** The runs whose end was reported through the response URL of their request. */
  const sentToUrl = new Set<string>();

  async function publishPending(runId: string): Promise<void> {
    for (let update = latest.get(runId); update; update = latest.get(runId)) {
      latest.delete(runId);
      let isAway = false;
      try {
        await publishUpdate(update);
      } catch (error) {
        log.error({ err: error, runId }, "a run's message could not be posted");
        isAway = isTemporary(error);
      }
      const areCardsOpen = unclosed.delete(runId);
      if (update.run.settledMs === null) continue;
      try {
        await onEnded(update.run);
      } catch (error) {
        log.error(
          { err: error, runId },
          'the message about the end of a run could not be planned; retrying later',
        );
        isAway = true;
      }
      // If Slack or the database is away, the end is announced again later.
      if (!isAway && !areCardsOpen) await markDelivered(runId, update.run.settledMs);
    }
    publishing.delete(runId);
  }

  /** Records that a run's message is final, even if it could not be posted. */
  async function markDelivered(runId: string, settledMs: number): Promise<void> {
    messages.delete(runId);
    shown.delete(runId);
    closed.delete(runId);
    undecided.delete(runId);
    sentToUrl.delete(runId);
    try {
      await runs.markDelivered(runId, settledMs);
    } catch (error) {
      log.error({ err: error, runId }, 'a run could not be marked as delivered');
    }
  }

  async function publishUpdate({ run: announced, wait }: RunUpdate): Promise<void> {
    // A batch reports its runs in its own message.
    if (announced.batchId !== undefined) return;
    const stored = await runs.find(announced.id);
    const run = preferEnd(announced, stored);
    const more = wait ? { wait } : {};
    const message = await runMessages.renderRun(run, more);
    // A run that was never queued is reported only to its actor.
    if ((run.queuedMs === null && !run.approval) || !message) return sendToActor(run);
    const render: RenderMessage = async (note) =>
      (note && (await runMessages.renderRun(run, { ...more, note }))) || message;
    try {
      await publishToChannel(run, stored, render);
    } catch (error) {
      if (!sentToUrl.has(run.id) && (await sendToResponseUrl(run, message))) sentToUrl.add(run.id);
      // Once Slack is back, the run's message is updated too.
      if (!sentToUrl.has(run.id) || isTemporary(error)) throw error;
    }
  }

  async function publishToChannel(run: Run, stored: Run | undefined, render: RenderMessage): Promise<void> {
    const client = await clients(run.actor.teamId);
    // Another process has continued the run, and publishes its message.
    if (run.status === 'waiting' && stored?.status !== 'waiting') return;
    if (stored?.approval) await closeCardsOf(client, { ...run, approval: stored.approval });
    const existing = messages.get(run.id) ?? stored?.message;
    const message =
      (existing && (await editRunMessage(client, run, existing, render))) ??
      (await postOnce(client, run, render, existing ?? undefined));
    messages.set(run.id, message);
    try {
      if (!existing && isPostedElsewhere(run, message))
        await createReply(clients, { ...run, origin: await findOrigin(run) }).postPointer(
          directMessageNotices.invite,
        );
      await notifyDecision(client, run, message);
    } catch (error) {
      // Only logged, because the run's own message was posted.
      log.error({ err: error, runId: run.id }, 'the messages beside a run could not be posted');
    }
  }

  /** Returns the origin of a run's request with its response URL, which is stored separately. */
  async function findOrigin({ id, origin }: Run): Promise<Origin> {
    const responseUrl = await runs.findResponseUrl(id);
    return { ...origin, ...(responseUrl !== undefined && { responseUrl }) };
  }

  /**
   * Posts a run's message. If another process has just posted one, because this process was frozen,
   * deletes this message and keeps the other.
   */
  async function postOnce(client: SlackClient, run: Run, render: RenderMessage, existing?: MessageRef) {
    const posted = await postRunMessage(client, run, render);
    if (await runs.saveMessage(run.id, posted, existing)) return posted;
    const other = (await runs.find(run.id))?.message;
    if (!other) return posted;
    await client.chat.delete({ channel: posted.channel, ts: posted.ts });
    if (run.settledMs !== null) await editRunMessage(client, run, other, render);
    return other;
  }

  /**
   * Notifies the requester of a decision, once. Editing the run's message isn't enough, because
   * edits notify no one.
   */
  async function notifyDecision(client: SlackClient, run: Run, { channel, ts }: MessageRef): Promise<void> {
    if (run.settledMs === null || !undecided.delete(run.id)) return;
    // In direct messages, the notice isn't posted in a thread: every new message notifies, and
    // threads are easily missed.
    const thread = channel === run.origin.channel ? { thread_ts: run.origin.threadTs ?? ts } : {};
    await client.chat.postMessage({ channel, ...thread, ...(await runMessages.renderDecision(run)) });
  }

  /** Updates the approval cards once the run was decided. */
  async function closeCardsOf(client: SlackClient, run: Run): Promise<void> {
    if (run.status === 'waiting' || closed.has(run.id) || !run.approval?.cards.length) return;
    // Later progress doesn't change the cards, and they were closed before the end was delivered.
    if (run.progress !== null && (await runs.isDelivered(run.id))) return;
    const errors = await closeApprovalCards(client, runMessages, run);
    for (const error of errors)
      log.error({ err: error, runId: run.id }, 'an approval card could not be closed');
    (errors.some(isSlackAway) ? unclosed : closed).add(run.id);
  }

  /**
   * Reports a run's end through the response URL of its request. This is the last resort if the app
   * can no longer post.
   */
  async function sendToResponseUrl(run: Run, message: Message): Promise<boolean> {
    if (run.settledMs === null) return false;
    const { responseUrl, threadTs } = await findOrigin(run);
    if (responseUrl === undefined) return false;
    const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
    const body = { response_type: 'ephemeral', replace_original: false, ...thread, ...message };
    return postToResponseUrl(responseUrl, body, clients.apiUrl);
  }

  /** Reports a run without a message of its own to its actor. Such a run is a read, or was never queued. */
  async function sendToActor(run: Run): Promise<void> {
    const { id, actor, operation, input, result } = run;
    const reply = createReply(clients, { actor, origin: await findOrigin(run) });
    if (result?.kind === 'problem') return reply.sendToActor(renderProblem(result.problem));
    if (result?.kind !== 'outcome') return;
    // Data that was read may be outdated by now, so it isn't sent. The result of a change still
    // applies.
    const isRead = catalogue.find(operation)?.kind === 'read';
    await reply.sendToActor(
      isRead
        ? renderProblem(lostReplyProblem(operation, input))
        : renderOutcome(result.outcome, { runId: id }),
    );
  }

  const publisher: RunPublisher = {
    publish(run, wait) {
      if (isDecidedByOther(run)) undecided.add(run.id);
      const update = { run, ...(wait && { wait }) };
      latest.set(run.id, update);
      if (run.settledMs === null) shown.set(run.id, update);
      if (!publishing.has(run.id)) publishing.set(run.id, publishPending(run.id));
    },
    async refresh({ id, batchId = id }) {
      const stored = await runs.find(batchId);
      const newest = stored?.settledMs == null ? shown.get(batchId) : { run: stored };
      // Without one, another process follows the run, and edits its message.
      if (newest) publisher.publish(newest.run, newest.wait);
    },
    async drained() {
      await Promise.all(publishing.values());
    },
  };
  return publisher;
}

/** Returns the stored run if it has ended, so that a late update never takes its message back. */
function preferEnd(announced: Run, stored: Run | undefined): Run {
  return stored && stored.settledMs !== null && stored.result !== null ? stored : announced;
}

/** Returns whether someone other than the actor has just settled a run that needed approval. */
function isDecidedByOther({ actor, approval, settledMs, progress, result }: Run): boolean {
  const isWithdrawn = result?.kind === 'problem' && result.problem.decidedBy === actor.userId;
  return approval !== null && settledMs !== null && progress === null && !isWithdrawn;
}

/** Returns whether the same work can succeed later, because Slack or the database is away. */
function isTemporary(error: unknown): boolean {
  return isSlackAway(error) || (error instanceof RackhandError && error.isRetryable);
}
