import type { ChannelPublisher, ChannelRef, PostResult } from '../monitoring/shared/channel-publisher.ts';
import type { Outcome } from '../operations/define/outcome.ts';

export interface SchedulePublisher extends ChannelPublisher {
  post(channelRef: ChannelRef, outcome: Outcome): Promise<PostResult>;
  edit(channelRef: ChannelRef, ts: string, outcome: Outcome): Promise<PostResult>;
}
