import { RackhandError } from '../../../errors.ts';
import type { Actor } from '../../../operations/define/access/actor.ts';
import type { ChannelPublisher, PostResult } from '../channel-publisher.ts';

/**
 * Posts a first message to a channel. Throws `input_invalid` if the app can't post there. Resolves
 * to `false` if the channel's rate limit is reached.
 */
export async function postIntro(
  publisher: Pick<ChannelPublisher, 'postText'>,
  { teamId, userId }: Pick<Actor, 'teamId' | 'userId'>,
  channel: string,
  text: string,
): Promise<boolean> {
  return requirePostable(await publisher.postText({ teamId, channel }, text, userId));
}

/** Does the same for a first message that was posted. */
export function requirePostable(result: PostResult): boolean {
  if (result.kind !== 'channelGone' && result.kind !== 'rejected') return result.kind === 'posted';
  const what =
    "Rackhand can't post in that channel: it isn't a member, or the channel is archived. Run /invite @Rackhand there and submit the form again, or choose another channel.";
  throw new RackhandError('input_invalid', what);
}
