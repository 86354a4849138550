import type { Outcome } from '../../operations/define/outcome.ts';

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

/** Posts what a person who waits has asked for. Other messages of plans are rows of the outbox. */
export interface ChannelPublisher {
  /**
   * Posts plain text with the name of the person who has caused it. Also used to check whether the app
   * can post in a channel.
   */
  postText(channelRef: ChannelRef, text: string, author: string): Promise<PostResult>;
  /** Posts an outcome in a channel, and pings a person or user group. */
  announce(channelRef: ChannelRef, outcome: Outcome, ping?: string): Promise<PostResult>;
}
