import { formatQueueNotice } from '../../operations/format/queue-wait.ts';
import type { OnRunQueued } from '../../runs/pipeline/run-environment.ts';
import { renderNotice, renderQueueNotice } from '../blocks/notice.ts';
import type { Reply, StatusMessage } from './reply.ts';

/** Minimum quota wait before a notice is sent. */
const minNotifiedWaitMs = 1_500;

/** Delay before the first progress message, and interval between its edits, which Slack limits. */
const firstUpdateDelayMs = 3_000;
const updateIntervalMs = 4_000;

/** Shows progress to the actor until the reply is ready. */
export interface ProgressMessage {
  /** Called when the request has to wait for the quota. */
  readonly onQueued: OnRunQueued;
  /** Called with the current progress as a sentence. */
  onProgress(text: string): void;
  /** Removes the progress message. Called before the reply is sent. */
  finish(): Promise<void>;
}

/**
 * Returns a function that announces a wait for the quota, with a button to cancel the run. The function
 * returns whether it announced the wait. Only the first wait is announced, because a response URL can be
 * used only a few times.
 */
export function createQueuedNotice(
  send: Reply['sendToActor'],
  what: string | undefined,
): (...wait: Parameters<OnRunQueued>) => boolean {
  let isAnnounced = false;
  return (waitMs, reason, runId) => {
    if (isAnnounced || waitMs < minNotifiedWaitMs) return false;
    isAnnounced = true;
    // Not awaited, because the reply must not wait for the announcement.
    send(renderQueueNotice(formatQueueNotice(what, waitMs, reason), runId)).catch(() => undefined);
    return true;
  };
}

interface ProgressMessageOptions {
  readonly to: 'channel' | 'actor';
  /** The request that waits for the quota, such as "graph of web-01". */
  readonly what: string;
  /** The notice that names the pending work. Shown once, if the reply isn't ready after `afterMs`. */
  readonly working: { readonly text: string; readonly afterMs: number };
}

/** Creates a progress message: a single message in the same place as the reply, edited as the work progresses. */
export function createProgressMessage(
  reply: Reply,
  { to, what, working }: ProgressMessageOptions,
): ProgressMessage {
  const announceOnce = createQueuedNotice(reply.sendToActor, what);
  let removingWorkingNotice: Promise<() => Promise<void>> | undefined;
  const workingTimer = setTimeout(() => {
    removingWorkingNotice = reply
      .showWorking(renderNotice(`⏳ ${working.text}`), to)
      .catch(() => async () => undefined);
  }, working.afterMs).unref();
  let pendingText: string | undefined;
  let posted: StatusMessage | undefined;
  let updating: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isFinished = false;

  async function update(): Promise<void> {
    timer = undefined;
    const message = pendingText === undefined || isFinished ? undefined : renderNotice(`⏳ ${pendingText}`);
    pendingText = undefined;
    if (!message) return;
    try {
      if (posted) await posted.edit(message);
      else posted = await reply.postStatus(message, to);
    } catch {
      // Ignored, because the next update may succeed.
    }
    scheduleUpdate(updateIntervalMs);
  }

  function scheduleUpdate(ms: number): void {
    if (isFinished || pendingText === undefined) return;
    timer ??= setTimeout(() => {
      // Updates are sent one after another, however long Slack takes.
      updating = (updating ?? Promise.resolve()).then(update);
    }, ms).unref();
  }

  return {
    onQueued(...wait) {
      if (pendingText !== undefined || posted !== undefined) return;
      if (announceOnce(...wait)) clearTimeout(workingTimer);
    },
    onProgress(next) {
      pendingText = next;
      if (!updating) scheduleUpdate(firstUpdateDelayMs);
      else scheduleUpdate(updateIntervalMs);
    },
    async finish() {
      isFinished = true;
      clearTimeout(workingTimer);
      clearTimeout(timer);
      const removeWorkingNotice = await removingWorkingNotice;
      await removeWorkingNotice?.();
      await updating;
      await posted?.remove().catch(() => undefined);
    },
  };
}

/**
 * Calls `notify` if `work` takes longer than `afterMs`. Resolves only after the notice was sent, so a late
 * notice can't replace the result.
 */
export async function notifyIfSlow<Result>(
  work: Promise<Result>,
  afterMs: number,
  notify: () => Promise<unknown>,
): Promise<Result> {
  let notifying: Promise<unknown> | undefined;
  const timer = setTimeout(() => {
    notifying = notify().catch(() => undefined);
  }, afterMs).unref();
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    await notifying;
  }
}

/**
 * Returns how long (ms) to wait before sending a notice that is due `afterMs` after the request arrived.
 * `receivedMs` and `nowMs` must be from the same clock, which can differ from the machine's.
 */
export function untilNoticeMs(receivedMs: number | undefined, afterMs: number, nowMs: number): number {
  return receivedMs === undefined ? afterMs : Math.max(0, receivedMs + afterMs - nowMs);
}
