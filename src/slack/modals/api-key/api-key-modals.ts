import type { types } from '@slack/bolt';
import type { ApiKeyManager, KeyAction } from '../../../workspaces/api-key/api-key-manager.ts';
import { renderNotice } from '../../blocks/notice.ts';
import { renderProblem } from '../../blocks/problem.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import type { Invocation } from '../../invocation.ts';
import { loadingView, messageView, updateView } from '../../messages/view-reply.ts';
import type { ModalOpener, ModalOpeners } from '../modal-openers.ts';
import { openModalWithId } from '../open-modal.ts';
import { createApiKeyMetadata, keyActions } from './api-key-metadata.ts';
import { buildDisconnectView, buildKeyView, titles } from './api-key-views.ts';

const noKeyMessage = 'This workspace has no API key, so there is nothing to delete.';

/** Creates the modals that connect, replace and delete a workspace's API key. */
export function createApiKeyModals(apiKeys: ApiKeyManager, clients: SlackClients): ModalOpeners {
  /** Builds the modal or, if the person isn't allowed to use it, a modal with the reason. */
  async function buildView(action: KeyAction, invocation: Invocation): Promise<types.ModalView> {
    const { actor, origin } = invocation;
    const problem = await apiKeys.findDenial(action, actor, origin);
    if (problem) return messageView(titles[action], renderProblem(problem));
    const storedKey = await apiKeys.describe(actor.teamId);
    const metadata = createApiKeyMetadata(action, invocation);
    if (action !== 'disconnect') return buildKeyView(metadata, { storedKey });
    return storedKey
      ? buildDisconnectView(metadata, storedKey)
      : messageView(titles[action], renderNotice(noKeyMessage));
  }

  /** The modal opens before the person's access is checked, because a trigger is valid for only 3 s. */
  const createOpener =
    (action: KeyAction): ModalOpener =>
    async (invocation) => {
      const { view: requestView } = invocation;
      const opened = requestView?.id
        ? { isOpen: true, viewId: requestView.id }
        : await openModalWithId(clients, invocation, loadingView(titles[action]));
      if (!opened.isOpen || opened.viewId === undefined) return opened.isOpen;
      const view = await buildView(action, invocation);
      await updateView(clients, invocation.actor, opened.viewId, view);
      return true;
    };

  return new Map(keyActions.map((action) => [action, createOpener(action)]));
}
