import type { Remind } from '../workspaces/connection/reminders.ts';
import type { SlackClients } from './clients.ts';
import { renderOutcome } from './render/outcome.ts';

/** Creates what tells the people who administer Rackhand in a workspace, each by a direct message. */
export function createRemind(
  clients: SlackClients,
  administratorsOf: (teamId: string) => Promise<readonly string[]>,
): Remind {
  return async (teamId, outcome) => {
    const people = await administratorsOf(teamId);
    const client = await clients(teamId);
    const message = renderOutcome(outcome, {});
    const told = await Promise.allSettled(
      people.map((channel) => client.chat.postMessage({ channel, ...message })),
    );
    const failed = told.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected' && told.every(({ status }) => status === 'rejected'))
      throw failed.reason;
  };
}
