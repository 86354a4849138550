import type { CardPlace } from '../operations/runs/approval.ts';
import type { SlackClient } from './clients.ts';
import type { Message } from './render/message.ts';
import { cannotSpeakThere } from './slack-error.ts';

/** Most people who are written to at once: in a large workspace not everybody who could act need be. */
const mostPeople = 10;

/**
 * Posts a message to the first ten of some people, in their direct messages, or of some channels, and gives where it stands. One who cannot be reached does
 * not keep the others from it; throws where nobody could be, for another reason than that they are gone.
 */
export async function postToEach(
  client: SlackClient,
  to: readonly string[],
  message: Message,
): Promise<readonly CardPlace[]> {
  const posting = to.slice(0, mostPeople).map((channel) => client.chat.postMessage({ channel, ...message }));
  const posted = await Promise.allSettled(posting);
  const places = posted.flatMap((one) => {
    if (one.status === 'rejected') return [];
    const { channel, ts } = one.value;
    return channel !== undefined && ts !== undefined ? [{ channel, ts }] : [];
  });
  const failed = posted.find((one) => one.status === 'rejected' && !cannotSpeakThere(one.reason));
  if (places.length === 0 && failed?.status === 'rejected') throw failed.reason;
  return places;
}
