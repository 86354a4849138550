import type { Outcome } from '../../../operations/define/outcome.ts';
import type { ChannelPublisher, ChannelRef, FindResult, PostResult } from '../../shared/channel-publisher.ts';

/** Identifies a watch's message in its metadata by IDs and a time. Contains none of its content. */
export interface IncidentPostKey {
  readonly watchId: string;
  readonly beganMs: number;
}

/** Identifies an escalation in the metadata of its message by an ID and times. Contains none of its content. */
export interface EscalationKey extends IncidentPostKey {
  /** When the alert was posted. */
  readonly sinceMs: number;
}

/** The result of an edit: that of a post, or `messageGone` if the message is missing. */
export type EditResult = PostResult | { readonly kind: 'messageGone' };

/**
 * A message, and the ID of the person or user group that it pings. The content itself never pings
 * anyone.
 */
export interface IncidentMessage {
  readonly outcome: Outcome;
  readonly ping?: string | undefined;
}

export interface IncidentPublisher extends ChannelPublisher {
  /** Posts the message of an incident. Rejects if it's unknown whether the message arrived. */
  post(channelRef: ChannelRef, key: IncidentPostKey, message: IncidentMessage): Promise<PostResult>;
  /**
   * Searches for the message that was being sent at `postingMs`, in case it arrived. Rejects if
   * Slack can't be reached.
   */
  findPost(channelRef: ChannelRef, key: IncidentPostKey, postingMs: number): Promise<FindResult>;
  /** Edits a message. Edits ping no one. */
  edit(channelRef: ChannelRef, ts: string, outcome: Outcome): Promise<EditResult>;
  /** Replies to a message with an update in its thread. */
  replyInThread(
    channelRef: ChannelRef,
    ts: string,
    message: IncidentMessage,
    key?: EscalationKey,
  ): Promise<PostResult>;
  /** Searches a thread for an escalation, in case it arrived. Rejects if Slack can't be reached. */
  findEscalation(channelRef: ChannelRef, ts: string, key: EscalationKey): Promise<FindResult>;
  /** Posts a message that isn't about an incident. */
  announce(channelRef: ChannelRef, message: IncidentMessage): Promise<PostResult>;
}
