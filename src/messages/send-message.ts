import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clock } from '../jobs/clock.ts';
import type { Message, MessageRef, SendResult, Transport } from './message.ts';
import type { MessageStore } from './message-store.ts';
import { longestBlockMs } from './rate-blocks.ts';

/** How long Slack can still act on a call after the call began. */
export const maxCallMs = 12_000;

/** The delay after the first failure. The delay doubles with each further failure, up to `maxRetryMs`. */
const firstRetryMs = 1_000;
const maxRetryMs = 5 * 60_000;

/** Maximum attempts while Slack doesn't answer. They last about a day. */
const maxAttempts = 290;

/** Message kind for removals, which delete duplicates in Slack. */
export const removalKind = 'removal';

/** A removal's content: the key of the message that the removed post duplicates. */
const removalContent = z.object({ key: z.string() });

/** The claim that lets this process send a workspace's messages. */
export interface Claim {
  readonly token: string;
  /** Aborts when this process stops or loses the claim. */
  readonly signal: AbortSignal;
}

/** Makes Slack show the newest version of a message. Never throws. */
export type SendMessage = (message: Message, claim: Claim) => Promise<void>;

export interface SendDependencies {
  readonly store: MessageStore;
  readonly transport: Transport;
  /** Gives up on a message, and notifies its creator and an admin. */
  readonly giveUp: (message: Message, token: string, reason: string) => Promise<void>;
  /** Moves a message to its next fallback, because the app can't post in its channel. */
  readonly move: (message: Message, token: string, channel: string) => Promise<void>;
  /** Schedules the message to be sent again, because it's unknown which version Slack shows. */
  readonly showAgain: (message: Message) => Promise<void>;
  /** Schedules the deletion of a duplicate in Slack. */
  readonly putRemoval: (message: Message, ref: MessageRef) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** Creates the function that sends messages. Calls `onLimited` when Slack's rate limit is reached. */
export function createSendMessage(
  dependencies: SendDependencies,
  onLimited: (message: Message, untilMs: number) => void,
): SendMessage {
  const { store, transport, giveUp, move, showAgain, putRemoval, clock, log } = dependencies;

  async function post(message: Message, { token, signal }: Claim): Promise<void> {
    const search =
      message.postingMs === null ? 'notFound' : await findInterrupted(message, message.postingMs, token);
    if (search === 'ended' || signal.aborted) return;
    const mayRepeat = message.mayRepeat || search === 'unreadable';
    const postingMs = clock.now();
    if (!(await store.markPosting(message, postingMs, mayRepeat, token))) return;
    const result = await transport.post({ ...message, mayRepeat });
    if (result.kind !== 'sent' && result.kind !== 'empty') {
      await store.clearPosting(message, postingMs);
      return handleFailure(message, token, result);
    }
    const ref = result.kind === 'sent' ? result.ref : null;
    const isSaved = await store.savePosted(message, ref, postingMs, clock.now());
    // This process was frozen, so another process has taken over. That process has found this post, or
    // will post the message again.
    if (!isSaved && ref) await putRemoval(message, ref);
  }

  /** Returns how much longer, in ms, Slack can still act on a call with an unknown outcome. */
  function findUnderWayMs(startedMs: number | null): number {
    const nowMs = clock.now();
    return startedMs === null || nowMs < startedMs ? 0 : Math.max(0, startedMs + maxCallMs - nowMs);
  }

  /** Looks for a message that an earlier attempt may have posted. `ended` means there's nothing to post now. */
  async function findInterrupted(
    message: Message,
    postingMs: number,
    token: string,
  ): Promise<'notFound' | 'unreadable' | 'ended'> {
    const nowMs = clock.now();
    // Slack may still be posting the message.
    const underWayMs = findUnderWayMs(postingMs);
    const found =
      underWayMs > 0
        ? ({ kind: 'limited', retryInMs: underWayMs } as const)
        : await transport.find(message, postingMs);
    // If the clock was set back, the search covered the wrong period.
    if (found.kind === 'notFound') return postingMs > nowMs ? 'unreadable' : 'notFound';
    if (found.kind === 'unreadable') return found.kind;
    if (found.kind === 'found') await store.saveFound(message, found.ref, postingMs);
    else await store.postpone(message, token, clock.now(), found.retryInMs);
    return 'ended';
  }

  async function edit(message: Message, ref: MessageRef, { token, signal }: Claim): Promise<void> {
    if (signal.aborted) return;
    const result = await (message.kind === removalKind ? remove(message, ref) : transport.edit(message, ref));
    if (result.kind === 'sent' || result.kind === 'empty') {
      // An earlier edit with an unknown outcome can still replace this edit, so this edit is repeated later.
      const underWayMs = findUnderWayMs(message.postingMs);
      if (underWayMs > 0) return store.postpone(message, token, clock.now(), underWayMs);
      // If this returns false, the edit may have replaced a newer edit from another process.
      if (!(await store.saveShown(message, token))) await showAgain(message);
      return;
    }
    if (result.kind === 'gone') return void (await store.postAnew(message, token, clock.now()));
    await handleFailure(message, token, result);
  }

  async function remove(message: Message, ref: MessageRef): Promise<SendResult> {
    const { key } = removalContent.parse(message.content);
    const posted = await store.find(message.teamId, key);
    if (posted?.ref?.ts === ref.ts) return { kind: 'empty' };
    const result = await transport.remove(message, ref);
    return result.kind === 'gone' ? { kind: 'empty' } : result;
  }

  async function handleFailure(
    message: Message,
    token: string,
    result: Exclude<SendResult, { kind: 'sent' | 'empty' | 'gone' }>,
  ): Promise<void> {
    switch (result.kind) {
      case 'limited':
        return onLimited(message, clock.now() + Math.min(result.retryInMs, longestBlockMs));
      case 'unreachable': {
        const [channel] = message.fallbacks;
        if (channel === undefined) return giveUp(message, token, result.reason);
        return move(message, token, channel);
      }
      case 'rejected':
        return giveUp(message, token, result.reason);
      case 'notInstalled':
        return giveUp(message, token, 'not_installed');
      case 'away':
        return retryLater(message, token);
    }
  }

  async function retryLater(message: Message, token: string): Promise<void> {
    const attempts = message.attempts + 1;
    if (attempts > maxAttempts) return giveUp(message, token, 'slack_away');
    const pauseMs = Math.min(firstRetryMs * 2 ** (attempts - 1), maxRetryMs);
    await store.retryLater(message, token, { nowMs: clock.now(), pauseMs, attempts });
  }

  async function retryUnknown(message: Message, token: string, startedMs: number): Promise<void> {
    if (message.ref) await store.markEditing(message, startedMs);
    await retryLater(message, token);
  }

  return async (message, claim) => {
    const names = { teamId: message.teamId, message: message.key };
    const startedMs = clock.now();
    try {
      await (message.ref ? edit(message, message.ref, claim) : post(message, claim));
    } catch (error) {
      log.warn({ err: error, ...names }, "it isn't known whether Slack has a message; retrying");
      await retryUnknown(message, claim.token, startedMs).catch((failure: unknown) =>
        log.warn({ err: failure, ...names }, "the retry of a message can't be stored yet"),
      );
    }
  };
}
