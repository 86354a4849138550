import type { Actor } from '../../operations/define/access/actor.ts';
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

/** The result of searching for a post. */
export type FindResult =
  | { readonly kind: 'found'; readonly ts: string }
  | { readonly kind: 'notFound' }
  /** The app can't read the channel. */
  | { readonly kind: 'unreadable' };

/** Posts the messages that reports and watches have in common. */
export interface ChannelPublisher {
  /** Posts plain text. Also used to check whether the app can post in a channel. */
  postText(channelRef: ChannelRef, text: string): Promise<PostResult>;
  /** Resolves to false if the person can't get any direct messages. */
  sendDirectMessage(person: Actor, outcome: Outcome): Promise<boolean>;
}
