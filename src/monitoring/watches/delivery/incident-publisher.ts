import type { Outcome } from '../../../operations/define/outcome.ts';
import type { ChannelPublisher, ChannelRef, PostResult } from '../../shared/channel-publisher.ts';

/** Posts what a person who waits has asked for. Other messages of watches are rows of the outbox. */
export interface IncidentPublisher extends ChannelPublisher {
  /** Posts an outcome in a channel, and pings a person or user group. */
  announce(channelRef: ChannelRef, outcome: Outcome, ping?: string): Promise<PostResult>;
}
