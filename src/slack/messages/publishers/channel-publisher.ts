import type { FindChannelSteps } from '../../../auth/channel-steps.ts';
import type { MemberDirectory } from '../../../auth/member-directory.ts';
import type { ChannelPublisher, ChannelRef } from '../../../monitoring/shared/channel-publisher.ts';
import type { Message } from '../../blocks/message.ts';
import { renderNotice } from '../../blocks/notice.ts';
import type { ResolveMentions } from '../../blocks/resolve-mentions.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { renderInChannel } from '../outcome-kinds.ts';
import { attemptPost } from '../post-attempt.ts';

interface ChannelPublisherDependencies {
  /** Clients that reject a call on a 429 instead of waiting, because a person waits for the answer. */
  readonly clients: SlackClients;
  readonly resolveMentions: ResolveMentions;
  readonly findDisplayName: MemberDirectory['findDisplayName'];
  readonly findChannelSteps: FindChannelSteps;
}

export function createChannelPublisher({
  clients,
  findDisplayName,
  ...rendering
}: ChannelPublisherDependencies): ChannelPublisher {
  const post = ({ teamId, channel }: ChannelRef, message: Message) =>
    attemptPost(clients, teamId, (client) => client.chat.postMessage({ channel, ...message }));

  return {
    // The author's name, because a mention would ping them.
    postText: async (channelRef, text, author) =>
      post(channelRef, renderNotice(`${text}\nBy @${await findDisplayName(channelRef.teamId, author)}`)),
    announce: async (channelRef, outcome, ping) =>
      post(channelRef, await renderInChannel(channelRef, { outcome, ping }, rendering)),
  };
}
