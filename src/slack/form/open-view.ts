import type { types } from '@slack/bolt';
import type { Asking } from '../asking.ts';
import type { SlackClients } from '../clients.ts';
import { isRefusedBySlack } from '../slack-error.ts';

/** Slack's answers that mean that a trigger is too old. */
const expiredTrigger = new Set(['expired_trigger_id', 'trigger_expired', 'invalid_trigger_id']);

/** Slack's answers that mean that a trigger has opened something already. */
const usedTrigger = new Set(['exchanged_trigger_id', 'trigger_exchanged']);

/**
 * Opens a view by the trigger of what was asked, above the view in which it was asked if it was in one. Answers whether it is there: `false` where
 * there is no trigger, or its three seconds are over.
 */
export async function openView(
  clients: SlackClients,
  { asker, triggerId, view: below }: Asking,
  view: types.ModalView,
): Promise<boolean> {
  if (triggerId === undefined) return false;
  try {
    const client = await clients(asker.teamId);
    const opening = { trigger_id: triggerId, view };
    await (below?.id === undefined ? client.views.open(opening) : client.views.push(opening));
    return true;
  } catch (error) {
    const reason = isRefusedBySlack(error) ? error.data.error : '';
    if (expiredTrigger.has(reason)) return false;
    // Whoever has used the trigger has opened this view: Slack delivered the same twice.
    if (usedTrigger.has(reason)) return true;
    throw error;
  }
}
