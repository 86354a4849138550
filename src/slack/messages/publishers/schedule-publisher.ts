import type { FindChannelSteps } from '../../../auth/channel-steps.ts';
import type { ChannelPublisher, ChannelRef } from '../../../monitoring/shared/channel-publisher.ts';
import { keepPermittedSteps } from '../../../operations/define/access/permitted-steps.ts';
import type { Outcome } from '../../../operations/define/outcome.ts';
import type { SchedulePublisher } from '../../../schedules/schedule-publisher.ts';
import { renderOutcome } from '../../blocks/outcome.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { attemptPost } from '../post-attempt.ts';

export function createSchedulePublisher(
  clients: SlackClients,
  { postText, sendDirectMessage }: ChannelPublisher,
  findChannelSteps: FindChannelSteps,
): SchedulePublisher {
  const render = async (channelRef: ChannelRef, outcome: Outcome) =>
    renderOutcome(keepPermittedSteps(outcome, await findChannelSteps(channelRef)), { isUnpaged: true });
  return {
    async post(channelRef, outcome) {
      const { teamId, channel } = channelRef;
      const message = await render(channelRef, outcome);
      return attemptPost(clients, teamId, (client) => client.chat.postMessage({ channel, ...message }));
    },
    async edit(channelRef, ts, outcome) {
      const { teamId, channel } = channelRef;
      const message = await render(channelRef, outcome);
      return attemptPost(clients, teamId, (client) => client.chat.update({ channel, ts, ...message }));
    },
    postText,
    sendDirectMessage,
  };
}
