import type { Outcome } from '../../../operations/define/outcome.ts';
import type { ChannelPublisher, ChannelRef, FindResult, PostResult } from '../../shared/channel-publisher.ts';

/** Identifies a watch's message in its metadata by IDs and a time. Contains none of its content. */
export interface IncidentPostKey {
  readonly watchId: string;
  readonly beganMs: number;
}

/** The result of an edit: the same as for a post, or the message is missing. */
export type EditResult = PostResult | { readonly kind: 'messageGone' };

/** Posts incidents to Slack without notifying anybody. */
export interface IncidentPublisher extends ChannelPublisher {
  /** Posts the message of an incident. Rejects if it's unknown whether the message arrived. */
  post(channelRef: ChannelRef, key: IncidentPostKey, outcome: Outcome): Promise<PostResult>;
  /**
   * Searches for the message that was being sent at `postingMs`, in case it arrived. Rejects if
   * Slack can't be reached.
   */
  findPost(channelRef: ChannelRef, key: IncidentPostKey, postingMs: number): Promise<FindResult>;
  edit(channelRef: ChannelRef, ts: string, outcome: Outcome): Promise<EditResult>;
  /** Replies to a message with an update in its thread. */
  replyInThread(channelRef: ChannelRef, ts: string, outcome: Outcome): Promise<PostResult>;
}
