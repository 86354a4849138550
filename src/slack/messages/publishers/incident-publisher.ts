import type { FindChannelSteps } from '../../../auth/channel-steps.ts';
import { toGranteeKind } from '../../../auth/grants/grantee.ts';
import type {
  ChannelPublisher,
  ChannelRef,
  PostResult,
} from '../../../monitoring/shared/channel-publisher.ts';
import type {
  EditResult,
  EscalationKey,
  IncidentMessage,
  IncidentPostKey,
  IncidentPublisher,
} from '../../../monitoring/watches/delivery/incident-publisher.ts';
import { keepPermittedSteps } from '../../../operations/define/access/permitted-steps.ts';
import { mrkdwn } from '../../blocks/elements/blocks.ts';
import type { Message } from '../../blocks/message.ts';
import { renderOutcome } from '../../blocks/outcome.ts';
import type { ResolveMentions } from '../../blocks/resolve-mentions.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { findOwnMessage, findOwnReply, type MessageMetadata } from '../own-messages.ts';
import { attemptPost } from '../post-attempt.ts';

interface IncidentPublisherDependencies {
  /**
   * Clients that reject a call on a 429 instead of waiting, so that a busy channel holds up only
   * its own watches.
   */
  readonly clients: SlackClients;
  readonly reportPublisher: ChannelPublisher;
  readonly resolveMentions: ResolveMentions;
  readonly findChannelSteps: FindChannelSteps;
}

/** Slack's errors for a message that was deleted or can no longer be edited. */
const missingMessageErrors: ReadonlySet<string> = new Set([
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
]);

export function createIncidentPublisher({
  clients,
  reportPublisher,
  resolveMentions,
  findChannelSteps,
}: IncidentPublisherDependencies): IncidentPublisher {
  const render = async (channelRef: ChannelRef, { outcome, ping }: IncidentMessage): Promise<Message> => {
    const permitted = keepPermittedSteps(outcome, await findChannelSteps(channelRef));
    const message = renderOutcome(await resolveMentions(permitted, channelRef.teamId), { isUnpaged: true });
    return ping === undefined ? message : withPing(message, ping);
  };

  async function postMessage(
    channelRef: ChannelRef,
    message: IncidentMessage,
    more: { readonly thread_ts?: string; readonly metadata?: MessageMetadata } = {},
  ): Promise<PostResult> {
    const { teamId, channel } = channelRef;
    const rendered = await render(channelRef, message);
    return attemptPost(clients, teamId, (client) =>
      client.chat.postMessage({ channel, ...rendered, ...more }),
    );
  }

  return {
    post: (channelRef, key, message) => postMessage(channelRef, message, { metadata: toMetadata(key) }),
    announce: (channelRef, message) => postMessage(channelRef, message),

    async findPost({ teamId, channel }, key, postingMs) {
      return findOwnMessage(await clients(teamId), channel, toMetadata(key), postingMs);
    },

    async edit(channelRef, ts, outcome): Promise<EditResult> {
      const { teamId, channel } = channelRef;
      const rendered = await render(channelRef, { outcome });
      const edited = await attemptPost(clients, teamId, (client) =>
        client.chat.update({ channel, ts, ...rendered }),
      );
      const isGone = edited.kind === 'rejected' && missingMessageErrors.has(edited.error);
      return isGone ? { kind: 'messageGone' } : edited;
    },

    replyInThread: (channelRef, ts, message, key) =>
      postMessage(channelRef, message, {
        thread_ts: ts,
        ...(key && { metadata: toEscalationMetadata(key) }),
      }),

    async findEscalation({ teamId, channel }, ts, key) {
      const client = await clients(teamId);
      return findOwnReply(client, channel, ts, toEscalationMetadata(key), key.sinceMs);
    },

    postText: reportPublisher.postText,
    sendDirectMessage: reportPublisher.sendDirectMessage,
  };
}

/**
 * Adds a line below the heading that mentions a person or user group. Slack pings them when the
 * message is posted.
 */
function withPing(message: Message, id: string): Message {
  const mention = toGranteeKind(id) === 'group' ? `<!subteam^${id}>` : `<@${id}>`;
  return { ...message, blocks: message.blocks.toSpliced(1, 0, mrkdwn(`🔔 ${mention}`)) };
}

function toMetadata({ watchId, beganMs }: IncidentPostKey): MessageMetadata {
  return { event_type: 'rackhand_watch', event_payload: { watch_id: watchId, began_ms: beganMs } };
}

function toEscalationMetadata({ watchId, beganMs, sinceMs }: EscalationKey): MessageMetadata {
  return {
    event_type: 'rackhand_escalation',
    event_payload: { watch_id: watchId, began_ms: beganMs, since_ms: sinceMs },
  };
}
