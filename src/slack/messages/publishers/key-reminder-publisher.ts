import { RackhandError } from '../../../errors.ts';
import type { SendReminder } from '../../../workspaces/api-key/key-reminders.ts';
import { renderOutcome } from '../../blocks/outcome.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { postToRecipients } from '../post-to-recipients.ts';

/** Sends a reminder by direct message to Rackhand's admins in a workspace, at most ten of them. */
export function createKeyReminderPublisher(
  clients: SlackClients,
  listAdmins: (teamId: string) => Promise<readonly string[]>,
): SendReminder {
  return async (teamId, outcome) => {
    const admins = await listAdmins(teamId);
    const client = await clients(teamId);
    const sent = await postToRecipients(client, admins, renderOutcome(outcome, {}));
    if (sent.length === 0 && admins.length > 0)
      throw new RackhandError('member_unknown', "None of Rackhand's admins could be reached.");
  };
}
