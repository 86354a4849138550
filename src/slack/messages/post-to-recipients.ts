import type { MessageRef } from '../../messages/message.ts';
import type { Message } from '../blocks/message.ts';
import type { SlackClient } from '../client/slack-clients.ts';
import { isCannotPostError } from '../client/slack-errors.ts';

/**
 * Maximum number of recipients of a message. In a large workspace, not everyone has to be asked.
 */
export const maxRecipients = 10;

/**
 * Posts a message to the first ten recipients (IDs of users or channels) and returns the posted
 * messages. If one fails, the others are still posted. Throws if all fail, unless the reason is
 * that no recipient can be reached.
 */
export async function postToRecipients(
  client: SlackClient,
  recipients: readonly string[],
  message: Message,
): Promise<readonly MessageRef[]> {
  const posting = recipients
    .slice(0, maxRecipients)
    .map((channel) => client.chat.postMessage({ channel, ...message }));
  const results = await Promise.allSettled(posting);
  const posts = results.flatMap((result) => {
    if (result.status === 'rejected') return [];
    const { channel, ts } = result.value;
    return channel !== undefined && ts !== undefined ? [{ channel, ts }] : [];
  });
  const failed = results.find((result) => result.status === 'rejected' && !isCannotPostError(result.reason));
  if (posts.length === 0 && failed?.status === 'rejected') throw failed.reason;
  return posts;
}
