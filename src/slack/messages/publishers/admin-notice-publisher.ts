import { RackhandError } from '../../../errors.ts';
import type { SendToAdmins } from '../../../workspaces/api-key/key-reminders.ts';
import { renderOutcome } from '../../blocks/outcome.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { maxRecipients, postToRecipients } from '../post-to-recipients.ts';

/** Sends a direct message to Rackhand's admins in a workspace, at most ten of them. */
export function createAdminNoticePublisher(
  clients: SlackClients,
  listAdmins: (teamId: string) => Promise<readonly string[]>,
): SendToAdmins {
  return async (teamId, outcome, preferredAdmin) => {
    const all = await listAdmins(teamId);
    const admins = all.includes(preferredAdmin ?? '') ? all.filter((id) => id === preferredAdmin) : all;
    if (admins.length === 0) return false;
    const client = await clients(teamId);
    const sent = await postToRecipients(client, admins.slice(0, maxRecipients), renderOutcome(outcome, {}));
    if (sent.length === 0)
      throw new RackhandError('member_unknown', "None of Rackhand's admins could be reached.");
    return true;
  };
}
