import { RackhandError } from '../../../errors.ts';
import type { HoldIfQuiet } from '../../../personal/held-messages.ts';
import type { SendToAdmins } from '../../../workspaces/api-key/key-reminders.ts';
import { renderOutcome } from '../../blocks/outcome.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { maxRecipients, postToRecipients } from '../post-to-recipients.ts';

/** Sends a direct message to Rackhand's admins in a workspace, at most ten of them. */
export function createAdminNoticePublisher(
  clients: SlackClients,
  listAdmins: (teamId: string) => Promise<readonly string[]>,
  holdIfQuiet: HoldIfQuiet,
): SendToAdmins {
  return async (teamId, outcome, preferredAdmin) => {
    const all = await listAdmins(teamId);
    const admins = all.includes(preferredAdmin ?? '') ? all.filter((id) => id === preferredAdmin) : all;
    const awake: string[] = [];
    for (const userId of admins.slice(0, maxRecipients))
      if (!(await holdIfQuiet({ teamId, userId }, outcome))) awake.push(userId);
    if (awake.length === 0) return admins.length > 0;
    const client = await clients(teamId);
    const sent = await postToRecipients(client, awake, renderOutcome(outcome, {}));
    const isHeld = awake.length < Math.min(admins.length, maxRecipients);
    if (sent.length === 0 && !isHeld)
      throw new RackhandError('member_unknown', "None of Rackhand's admins could be reached.");
    return true;
  };
}
