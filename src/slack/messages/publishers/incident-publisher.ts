import type { ChannelPublisher } from '../../../monitoring/shared/channel-publisher.ts';
import type {
  EditResult,
  IncidentPostKey,
  IncidentPublisher,
} from '../../../monitoring/watches/delivery/incident-publisher.ts';
import { renderOutcome } from '../../blocks/outcome.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { findOwnMessage, type MessageMetadata } from '../own-messages.ts';
import { attemptPost } from '../post-attempt.ts';

interface IncidentPublisherDependencies {
  /**
   * Clients that reject a call on a 429 instead of waiting, so that a busy channel holds up only
   * its own watches.
   */
  readonly clients: SlackClients;
  readonly reportPublisher: ChannelPublisher;
}

/** Slack's errors for a message that is missing or can no longer be edited. */
const missingMessageErrors: ReadonlySet<string> = new Set([
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
]);

/** Posts the messages of watches to Slack. */
export function createIncidentPublisher({
  clients,
  reportPublisher,
}: IncidentPublisherDependencies): IncidentPublisher {
  return {
    post: ({ teamId, channel }, key, outcome) =>
      attemptPost(clients, teamId, (client) =>
        client.chat.postMessage({
          channel,
          ...renderOutcome(outcome, { isUnpaged: true }),
          metadata: toMetadata(key),
        }),
      ),

    async findPost({ teamId, channel }, key, postingMs) {
      return findOwnMessage(await clients(teamId), channel, toMetadata(key), postingMs);
    },

    async edit({ teamId, channel }, ts, outcome): Promise<EditResult> {
      const edited = await attemptPost(clients, teamId, (client) =>
        client.chat.update({ channel, ts, ...renderOutcome(outcome, { isUnpaged: true }) }),
      );
      const isGone = edited.kind === 'rejected' && missingMessageErrors.has(edited.error);
      return isGone ? { kind: 'messageGone' } : edited;
    },

    replyInThread: ({ teamId, channel }, ts, outcome) =>
      attemptPost(clients, teamId, (client) =>
        client.chat.postMessage({
          channel,
          thread_ts: ts,
          ...renderOutcome(outcome, { isUnpaged: true }),
        }),
      ),

    postText: reportPublisher.postText,
    sendDirectMessage: reportPublisher.sendDirectMessage,
  };
}

function toMetadata({ watchId, beganMs }: IncidentPostKey): MessageMetadata {
  return { event_type: 'rackhand_watch', event_payload: { watch_id: watchId, began_ms: beganMs } };
}
