import type { types } from '@slack/bolt';
import type { SlackClients } from '../client/slack-clients.ts';
import { isSlackPlatformError } from '../client/slack-errors.ts';
import type { Invocation } from '../invocation.ts';

const expiredTriggerErrors = new Set(['expired_trigger_id', 'trigger_expired', 'invalid_trigger_id']);

const usedTriggerErrors = new Set(['exchanged_trigger_id', 'trigger_exchanged']);

export const triggerExpiredMessage =
  "Slack's time limit for opening a window has passed. Nothing was changed. Try again.";

/** Whether a modal was opened. `viewId` is missing if a duplicate delivery opened the modal. */
type OpenResult = { readonly isOpen: boolean; readonly viewId?: string | undefined };

/**
 * Opens a modal, above the current one if the request came from a modal. Opens none if the trigger is missing or has
 * expired (after 3 s).
 */
export async function openModal(
  clients: SlackClients,
  { actor, triggerId, view: parentView }: Pick<Invocation, 'actor' | 'triggerId' | 'view'>,
  view: types.ModalView,
): Promise<OpenResult> {
  if (triggerId === undefined) return { isOpen: false };
  const { views } = await clients(actor.teamId);
  const options = { trigger_id: triggerId, view };
  try {
    const opened = await (parentView?.id === undefined ? views.open(options) : views.push(options));
    return { isOpen: true, viewId: opened.view?.id };
  } catch (error) {
    const reason = isSlackPlatformError(error) ? error.data.error : '';
    if (expiredTriggerErrors.has(reason)) return { isOpen: false };
    if (usedTriggerErrors.has(reason)) return { isOpen: true };
    throw error;
  }
}
