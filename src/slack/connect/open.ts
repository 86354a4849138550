import type { types } from '@slack/bolt';
import type { Connection, KeyAct } from '../../workspaces/connection/connection.ts';
import type { Asking } from '../asking.ts';
import type { SlackClients } from '../clients.ts';
import type { Dialog, Dialogs } from '../dialogs.ts';
import { openKnownView } from '../form/open-view.ts';
import { renderNotice } from '../render/notice.ts';
import { renderProblem } from '../render/problem.ts';
import { loadingView, messageView, showInView } from '../view-reply.ts';
import { keyActs, placeOf } from './place.ts';
import { disconnectView, keyView, titles } from './views.ts';

const nothingToDelete = 'This workspace has no API key: there is nothing to delete.';

/** Creates the dialogs by which a workspace's key is connected, replaced and deleted. */
export function createConnectionDialogs(connection: Connection, clients: SlackClients): Dialogs {
  /** Builds what the person is to see: why not, or what to fill in. */
  async function viewFor(act: KeyAct, asking: Asking): Promise<types.ModalView> {
    const { asker, origin } = asking;
    const problem = await connection.refusalOf(act, asker, origin);
    if (problem) return messageView(titles[act], renderProblem(problem));
    const kept = await connection.describe(asker.teamId);
    const place = placeOf(act, asking);
    if (act !== 'disconnect') return keyView(place, { kept });
    return kept ? disconnectView(place, kept) : messageView(titles[act], renderNotice(nothingToDelete));
  }

  /** A trigger is good for 3 s: the view opens at once, and whether this person may is looked up after that. */
  const dialogFor =
    (act: KeyAct): Dialog =>
    async (asking) => {
      const { view: asked } = asking;
      const opened = asked?.id
        ? { isOpen: true, viewId: asked.id }
        : await openKnownView(clients, asking, loadingView(titles[act]));
      if (!opened.isOpen || opened.viewId === undefined) return opened.isOpen;
      const view = await viewFor(act, asking);
      await showInView(clients, asking.asker, opened.viewId, view);
      return true;
    };

  return new Map(keyActs.map((act) => [act, dialogFor(act)]));
}
