import { webApi } from '@slack/bolt';
import type { FindChannelSteps } from '../../../auth/channel-steps.ts';
import type { MemberDirectory } from '../../../auth/member-directory.ts';
import { RackhandError } from '../../../errors.ts';
import type {
  ChannelPublisher,
  ChannelRef,
  PostResult,
} from '../../../monitoring/shared/channel-publisher.ts';
import type { Message } from '../../blocks/message.ts';
import { renderNotice } from '../../blocks/notice.ts';
import type { ResolveMentions } from '../../blocks/resolve-mentions.ts';
import type { SlackClient, SlackClients } from '../../client/slack-clients.ts';
import {
  isCannotPostError,
  isServerError,
  isSlackPlatformError,
  isTokenError,
} from '../../client/slack-errors.ts';
import { renderInChannel } from '../outcome-kinds.ts';
import { requirePosted } from '../require-posted.ts';

interface ChannelPublisherDependencies {
  /** Clients that reject a call on a 429 instead of waiting, because a person is waiting for the answer. */
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
    // Uses the author's name, because a mention would ping them.
    postText: async (channelRef, text, author) =>
      post(channelRef, renderNotice(`${text}\nBy @${await findDisplayName(channelRef.teamId, author)}`)),
    announce: async (channelRef, outcome, ping) =>
      post(channelRef, await renderInChannel(channelRef, { outcome, ping }, rendering)),
  };
}

/**
 * Posts a message and returns the result. Throws if it's unknown whether the message was posted, or
 * if Slack rejected the token.
 */
async function attemptPost(
  clients: SlackClients,
  teamId: string,
  post: (client: SlackClient) => Promise<Parameters<typeof requirePosted>[0]>,
): Promise<PostResult> {
  try {
    const { ts } = requirePosted(await post(await clients(teamId)));
    return { kind: 'posted', ts };
  } catch (error) {
    const isRemoved = error instanceof RackhandError && error.code === 'not_installed';
    if (isRemoved || isCannotPostError(error)) return { kind: 'channelGone' };
    if (error instanceof webApi.WebAPIRateLimitedError)
      return { kind: 'rateLimited', retryInMs: error.retryAfter * 1_000 };
    if (!isSlackPlatformError(error) || isTokenError(error) || isServerError(error)) throw error;
    return { kind: 'rejected', error: error.data.error };
  }
}
