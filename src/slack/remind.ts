import { RackhandError } from '../error.ts';
import type { Remind } from '../workspaces/connection/reminders.ts';
import type { SlackClients } from './clients.ts';
import { postToEach } from './post-to-each.ts';
import { renderOutcome } from './render/outcome.ts';

/** Creates what tells people who administer Rackhand in a workspace, ten at most, each by a direct message. */
export function createRemind(
  clients: SlackClients,
  administratorsOf: (teamId: string) => Promise<readonly string[]>,
): Remind {
  return async (teamId, outcome) => {
    const people = await administratorsOf(teamId);
    const client = await clients(teamId);
    const told = await postToEach(client, people, renderOutcome(outcome, {}));
    if (told.length === 0 && people.length > 0)
      throw new RackhandError('people_unknown', 'Nobody who administers Rackhand could be reached.');
  };
}
