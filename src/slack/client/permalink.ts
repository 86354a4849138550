import type { MessageRef } from '../../messages/message.ts';
import type { SlackClients } from './slack-clients.ts';
import { isSlackPlatformError } from './slack-errors.ts';

/** Returns a link to a message, or undefined if Slack refuses to provide one. */
export type FindPermalink = (teamId: string, message: MessageRef) => Promise<string | undefined>;

export function createPermalinks(clients: SlackClients): FindPermalink {
  return async (teamId, { channel, ts }) => {
    try {
      const client = await clients(teamId);
      return (await client.chat.getPermalink({ channel, message_ts: ts })).permalink;
    } catch (error) {
      if (isSlackPlatformError(error)) return undefined;
      throw error;
    }
  };
}
