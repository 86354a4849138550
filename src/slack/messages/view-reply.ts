import type { types } from '@slack/bolt';
import type { Actor } from '../../operations/define/access/actor.ts';
import { headingBlock, mrkdwn } from '../blocks/elements/blocks.ts';
import { tableAsList } from '../blocks/elements/table.ts';
import type { Message } from '../blocks/message.ts';
import type { SlackClients } from '../client/slack-clients.ts';
import { isSlackPlatformError } from '../client/slack-errors.ts';
import { buildModal } from '../modals/modal.ts';
import { createReply, directMessageNotices, type Reply } from './reply.ts';

const resultCallbackId = 'answer';

export function loadingView(title: string): types.ModalView {
  return buildResultView(title, [mrkdwn('⏳ One moment…')]);
}

export function messageView(title: string, { blocks }: Message): types.ModalView {
  return buildResultView(title, blocks.flatMap(toViewBlocks));
}

function buildResultView(title: string, blocks: types.KnownBlock[]): types.ModalView {
  return buildModal({ title, blocks, callbackId: resultCallbackId });
}

/** Shown after a confirmation in a modal. The run's message goes to the actor's DMs. */
const startedNotice = "I'll post the progress in your DMs.";

/** Updates an open modal. Returns false if the modal was closed. */
export async function updateView(
  clients: SlackClients,
  { teamId }: Pick<Actor, 'teamId'>,
  view_id: string,
  view: types.ModalView,
): Promise<boolean> {
  const client = await clients(teamId);
  try {
    await client.views.update({ view_id, view });
    return true;
  } catch (error) {
    if (!isSlackPlatformError(error)) throw error;
    return false;
  }
}

/**
 * Creates a reply in an open modal, for requests from the App Home, a shortcut or a modal. If the modal was
 * closed, the reply is sent as a DM.
 */
export function createViewReply(
  clients: SlackClients,
  { actor, viewId, title }: { readonly actor: Actor; readonly viewId: string; readonly title: string },
): Reply {
  const directReply = createReply(clients, { actor, origin: {} });
  let updating: Promise<unknown> = Promise.resolve();
  /** Updates the view once earlier updates have finished. Otherwise, a late notice could replace the result. */
  const showBlocks = (blocks: types.KnownBlock[]) => {
    const update = updating.then(() => updateView(clients, actor, viewId, buildResultView(title, blocks)));
    updating = update.catch(() => undefined);
    return update;
  };

  const sendToActor = async (message: Message) => {
    if (!(await showBlocks(message.blocks.flatMap(toViewBlocks)))) await directReply.sendToActor(message);
  };
  return {
    sendToActor,
    sendToChannel: sendToActor,
    replace: sendToActor,
    async post(message) {
      await directReply.post(message, 'actor');
      await showBlocks([mrkdwn(directMessageNotices.plain)]);
    },
    async postStatus(message) {
      await sendToActor(message);
      // The status isn't removed, because the reply replaces it.
      return { edit: sendToActor, async remove() {} };
    },
    // No notice is needed, because the modal has shown one ever since it opened.
    showWorking: async () => async () => undefined,
    async remove() {
      await showBlocks([headingBlock('Started'), mrkdwn(startedNotice)]);
    },
  };
}

/** Converts a block for a modal, where Slack allows no tables. */
function toViewBlocks(block: types.KnownBlock): types.KnownBlock[] {
  return block.type === 'table' || block.type === 'data_table' ? tableAsList(block) : [block];
}
