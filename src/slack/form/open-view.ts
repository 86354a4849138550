import type { types } from '@slack/bolt';
import type { Asking } from '../asking.ts';
import type { SlackClients } from '../clients.ts';
import { isRefusedBySlack } from '../slack-error.ts';

/** Slack's answers that mean that a trigger is too old. */
const expiredTrigger = new Set(['expired_trigger_id', 'trigger_expired', 'invalid_trigger_id']);

/** Slack's answers that mean that a trigger has opened something already. */
const usedTrigger = new Set(['exchanged_trigger_id', 'trigger_exchanged']);

/** What became of a view that was to be opened; without an id where Slack delivered the same twice, and the other has opened it. */
export type Opened = { readonly isOpen: false } | { readonly isOpen: true; readonly viewId?: string };

/** Opens a view as `openView` does, and tells which it is. */
export async function openKnownView(
  clients: SlackClients,
  { asker, triggerId, view: below }: Asking,
  view: types.ModalView,
): Promise<Opened> {
  if (triggerId === undefined) return { isOpen: false };
  try {
    const client = await clients(asker.teamId);
    const opening = { trigger_id: triggerId, view };
    const opened = await (below?.id === undefined ? client.views.open(opening) : client.views.push(opening));
    const viewId = opened.view?.id;
    return { isOpen: true, ...(viewId !== undefined && { viewId }) };
  } catch (error) {
    const reason = isRefusedBySlack(error) ? error.data.error : '';
    if (expiredTrigger.has(reason)) return { isOpen: false };
    // Whoever has used the trigger has opened this view: Slack delivered the same twice.
    if (usedTrigger.has(reason)) return { isOpen: true };
    throw error;
  }
}

/**
 * Opens a view by the trigger of what was asked, above the view in which it was asked if it was in one. Answers whether it is there: `false` where
 * there is no trigger, or its three seconds are over.
 */
export async function openView(
  clients: SlackClients,
  asking: Asking,
  view: types.ModalView,
): Promise<boolean> {
  return (await openKnownView(clients, asking, view)).isOpen;
}
