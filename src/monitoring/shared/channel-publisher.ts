import { randomUUID } from 'node:crypto';
import type { Database } from '../../db/engines/database.ts';
import { RackhandError } from '../../errors.ts';
import type { PostOutcome } from '../../messages/post-outcome.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import type { Chart, Outcome } from '../../operations/define/outcome.ts';

export interface ChannelRef {
  readonly teamId: string;
  readonly channel: string;
}

export type PostResult =
  | { readonly kind: 'posted'; readonly ts: string }
  /** The channel was deleted or archived, or the app isn't a member. */
  | { readonly kind: 'channelGone' }
  | { readonly kind: 'rateLimited'; readonly retryInMs: number }
  /** Slack rejected the message with this error code. */
  | { readonly kind: 'rejected'; readonly error: string };

/** Posts messages that a person is waiting for. All other messages go through the outbox. */
export interface ChannelPublisher {
  /** Posts plain text that names its author. Also serves to check whether the app can post in a channel. */
  postText(channelRef: ChannelRef, text: string, author: string): Promise<PostResult>;
  /** Posts an outcome in a channel, optionally pinging a person or user group. */
  announce(channelRef: ChannelRef, outcome: Outcome, ping?: string): Promise<PostResult>;
}

/** Uploads a chart without sharing it. Resolves to undefined if that fails. */
export type UploadChart = (teamId: string, chart: Chart) => Promise<string | undefined>;

/**
 * Posts the first message to a channel. Throws `input_invalid` if the app can't post there. Skips the message,
 * without an error, if Slack rate-limits the channel.
 */
export async function postIntro(
  publisher: Pick<ChannelPublisher, 'postText'>,
  { teamId, userId }: Pick<Actor, 'teamId' | 'userId'>,
  channel: string,
  text: string,
): Promise<void> {
  requirePostable(await publisher.postText({ teamId, channel }, text, userId));
}

/** Returns whether the message was posted. Throws `input_invalid` if the app can't post in the channel. */
export function requirePostable(result: PostResult): boolean {
  if (result.kind !== 'channelGone' && result.kind !== 'rejected') return result.kind === 'posted';
  const what =
    "Rackhand can't post in that channel: it isn't a member, or the channel is archived. Run /invite @Rackhand there and submit the form again, or choose another channel.";
  throw new RackhandError('input_invalid', what);
}

/** Posts an outcome in channels that should know what someone did elsewhere. */
export type TellChannels = (
  teamId: string,
  channels: readonly string[],
  outcome: Outcome,
  transaction?: Database,
) => Promise<void>;

export function createTellChannels(postOutcome: PostOutcome): TellChannels {
  return async (teamId, channels, outcome, transaction) => {
    for (const channel of new Set(channels))
      await postOutcome(`told:${randomUUID()}`, { teamId, channel }, outcome, { transaction });
  };
}
