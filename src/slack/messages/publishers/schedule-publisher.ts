import type { ChannelPublisher } from '../../../monitoring/shared/channel-publisher.ts';
import type { SchedulePublisher } from '../../../schedules/schedule-publisher.ts';
import { renderOutcome } from '../../blocks/outcome.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { attemptPost } from '../post-attempt.ts';

export function createSchedulePublisher(
  clients: SlackClients,
  { postText, sendDirectMessage }: ChannelPublisher,
): SchedulePublisher {
  return {
    post: ({ teamId, channel }, outcome) =>
      attemptPost(clients, teamId, (client) =>
        client.chat.postMessage({ channel, ...renderOutcome(outcome, { isUnpaged: true }) }),
      ),
    edit: ({ teamId, channel }, ts, outcome) =>
      attemptPost(clients, teamId, (client) =>
        client.chat.update({ channel, ts, ...renderOutcome(outcome, { isUnpaged: true }) }),
      ),
    postText,
    sendDirectMessage,
  };
}
