import type { FindChannelSteps } from '../../../auth/channel-steps.ts';
import type { ChannelPublisher, ChannelRef } from '../../../monitoring/shared/channel-publisher.ts';
import { keepPermittedSteps } from '../../../operations/define/access/permitted-steps.ts';
import type { Outcome } from '../../../operations/define/outcome.ts';
import type { SchedulePublisher } from '../../../schedules/schedule-publisher.ts';
import { renderOutcome } from '../../blocks/outcome.ts';
import type { ResolveMentions } from '../../blocks/resolve-mentions.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { attemptPost } from '../post-attempt.ts';

export function createSchedulePublisher(
  clients: SlackClients,
  { postText, sendDirectMessage }: ChannelPublisher,
  findChannelSteps: FindChannelSteps,
  resolveMentions: ResolveMentions,
): SchedulePublisher {
  // People are shown by name, because a schedule's messages come at night and ping nobody.
  async function render(channelRef: ChannelRef, outcome: Outcome) {
    const permitted = keepPermittedSteps(outcome, await findChannelSteps(channelRef));
    return renderOutcome(await resolveMentions(permitted, channelRef.teamId), { isUnpaged: true });
  }
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
