import type { FindChannelSteps } from '../../../auth/channel-steps.ts';
import type { ChannelPublisher } from '../../../monitoring/shared/channel-publisher.ts';
import type { IncidentPublisher } from '../../../monitoring/watches/delivery/incident-publisher.ts';
import type { ResolveMentions } from '../../blocks/resolve-mentions.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { renderInChannel } from '../outcome-kinds.ts';
import { attemptPost } from '../post-attempt.ts';

interface IncidentPublisherDependencies {
  /** Clients that reject a call on a 429 instead of waiting, because a person waits for the answer. */
  readonly clients: SlackClients;
  readonly reportPublisher: ChannelPublisher;
  readonly resolveMentions: ResolveMentions;
  readonly findChannelSteps: FindChannelSteps;
}

export function createIncidentPublisher({
  clients,
  reportPublisher,
  ...rendering
}: IncidentPublisherDependencies): IncidentPublisher {
  return {
    async announce(channelRef, outcome, ping) {
      const { teamId, channel } = channelRef;
      const message = await renderInChannel(channelRef, { outcome, ping }, rendering);
      return attemptPost(clients, teamId, (client) => client.chat.postMessage({ channel, ...message }));
    },
    postText: reportPublisher.postText,
    sendDirectMessage: reportPublisher.sendDirectMessage,
  };
}
