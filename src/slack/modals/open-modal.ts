import type { types } from '@slack/bolt';
import type { SlackClients } from '../client/slack-clients.ts';
import { isSlackPlatformError } from '../client/slack-errors.ts';
import type { Invocation } from '../invocation.ts';

/** Slack's errors for a trigger that has expired. */
const expiredTriggerErrors = new Set(['expired_trigger_id', 'trigger_expired', 'invalid_trigger_id']);

/** Slack's errors for a trigger that was already used. */
const usedTriggerErrors = new Set(['exchanged_trigger_id', 'trigger_exchanged']);

/** The message for a person whose modal couldn't be opened in time. */
export const triggerExpiredMessage =
  "Slack's time limit for opening a window has passed. Nothing was changed. Press the button again.";

/** Whether a modal was opened. `viewId` is missing if a duplicate delivery has opened the modal. */
export type OpenResult = { readonly isOpen: false } | { readonly isOpen: true; readonly viewId?: string };

/** Opens a modal like `openModal`, and also returns its id. */
export async function openModalWithId(
  clients: SlackClients,
  { actor, triggerId, view: parentView }: Invocation,
  view: types.ModalView,
): Promise<OpenResult> {
  if (triggerId === undefined) return { isOpen: false };
  try {
    const client = await clients(actor.teamId);
    const options = { trigger_id: triggerId, view };
    const opened = await (parentView?.id === undefined
      ? client.views.open(options)
      : client.views.push(options));
    const viewId = opened.view?.id;
    return { isOpen: true, ...(viewId !== undefined && { viewId }) };
  } catch (error) {
    const reason = isSlackPlatformError(error) ? error.data.error : '';
    if (expiredTriggerErrors.has(reason)) return { isOpen: false };
    // A duplicate delivery has already opened this modal.
    if (usedTriggerErrors.has(reason)) return { isOpen: true };
    throw error;
  }
}

/**
 * Opens a modal, above the current one if the request came from a modal. Returns false if there is
 * no trigger, or if its 3 s are over.
 */
export async function openModal(
  clients: SlackClients,
  invocation: Invocation,
  view: types.ModalView,
): Promise<boolean> {
  return (await openModalWithId(clients, invocation, view)).isOpen;
}
