import type { RunNoticePublisher } from '../../../personal/run-notices.ts';
import type { MessageRef, Run } from '../../../runs/run.ts';
import type { SlackClient, SlackClients } from '../../client/slack-clients.ts';
import { isCannotPostError, isSlackPlatformError } from '../../client/slack-errors.ts';
import { findOwnMessage, type MessageMetadata } from '../own-messages.ts';
import { requirePosted } from '../require-posted.ts';
import type { RunMessageRenderer } from '../run-message-renderer.ts';

export function createRunNoticePublisher(
  clients: SlackClients,
  { renderNotice }: Pick<RunMessageRenderer, 'renderNotice'>,
): RunNoticePublisher {
  return {
    async send(run) {
      const { teamId, userId } = run.actor;
      const client = await clients(teamId);
      const link = run.message ? await findPermalink(client, run.message) : undefined;
      try {
        const message = { ...(await renderNotice(run, link)), metadata: toMetadata(run) };
        return requirePosted(await client.chat.postMessage({ channel: userId, ...message })).channel;
      } catch (error) {
        if (isCannotPostError(error)) return undefined;
        throw error;
      }
    },

    async wasSent(run, channel, sentMs) {
      const client = await clients(run.actor.teamId);
      return (await findOwnMessage(client, channel, toMetadata(run), sentMs)).kind !== 'notFound';
    },
  };
}

/** Returns the link to a message, or undefined if the message was deleted. */
async function findPermalink(client: SlackClient, { channel, ts }: MessageRef): Promise<string | undefined> {
  try {
    return (await client.chat.getPermalink({ channel, message_ts: ts })).permalink;
  } catch (error) {
    if (isSlackPlatformError(error)) return undefined;
    throw error;
  }
}

function toMetadata({ id }: Run): MessageMetadata {
  return { event_type: 'rackhand_run_notice', event_payload: { run_id: id } };
}
