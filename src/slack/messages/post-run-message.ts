import type { MessageRef, Run } from '../../runs/run.ts';
import type { Message } from '../blocks/message.ts';
import type { SlackClient } from '../client/slack-clients.ts';
import { isCannotPostError, isServerError, isSlackPlatformError } from '../client/slack-errors.ts';
import { inviteNote } from './reply.ts';
import { requirePosted } from './require-posted.ts';

/** Renders a run's current message. `note` is an optional line of small print. */
export type RenderMessage = (note?: string) => Promise<Message>;

/**
 * Edits a run's message. Returns undefined if the message was deleted or can no longer be edited.
 * Throws if it's unknown whether the message was edited.
 */
export async function editRunMessage(
  client: SlackClient,
  run: Run,
  posted: MessageRef,
  render: RenderMessage,
) {
  const { channel, ts } = posted;
  const note = isPostedElsewhere(run, posted) ? inviteNote : undefined;
  try {
    await client.chat.update({ channel, ts, ...(await render(note)) });
    return posted;
  } catch (error) {
    if (!isSlackPlatformError(error) || isServerError(error)) throw error;
    return undefined;
  }
}

/**
 * Posts a run's message in the channel of its request or, if the app can't post there, in direct
 * messages to the actor.
 */
export async function postRunMessage(client: SlackClient, { actor, origin }: Run, render: RenderMessage) {
  const { channel, threadTs } = origin;
  if (channel !== undefined) {
    try {
      return requirePosted(
        await client.chat.postMessage({
          channel,
          ...(threadTs && { thread_ts: threadTs }),
          ...(await render()),
        }),
      );
    } catch (error) {
      if (!isCannotPostError(error)) throw error;
    }
  }
  const note = channel === undefined ? undefined : inviteNote;
  return requirePosted(await client.chat.postMessage({ channel: actor.userId, ...(await render(note)) }));
}

/** Returns whether a run's message is somewhere other than in the channel of its request. */
export function isPostedElsewhere({ origin }: Run, { channel }: MessageRef): boolean {
  return origin.channel !== undefined && channel !== origin.channel;
}
