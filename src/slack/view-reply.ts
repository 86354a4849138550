import type { types } from '@slack/bolt';
import type { Asker } from '../operations/runs/run.ts';
import type { SlackClients } from './clients.ts';
import { heading, mrkdwn } from './render/blocks.ts';
import { limits } from './render/limits.ts';
import type { Message } from './render/message.ts';
import { tableAsList } from './render/table.ts';
import { plain } from './render/text.ts';
import { createReply, inDirectWords, type Reply } from './reply.ts';
import { isRefusedBySlack } from './slack-error.ts';

/** Callback id of a view that shows what a message would show. */
const answerCallbackId = 'answer';

/** The view that stands where the answer will be. */
export function loadingView(title: string): types.ModalView {
  return answerView(title, [mrkdwn('⏳ One moment…')]);
}

/** The view that shows what a message would. */
export function messageView(title: string, { blocks }: Message): types.ModalView {
  return answerView(title, blocks.flatMap(forView));
}

function answerView(title: string, blocks: types.KnownBlock[]): types.ModalView {
  return {
    type: 'modal',
    callback_id: answerCallbackId,
    title: plain(title, limits.viewTitleChars),
    close: plain('Close', limits.viewTitleChars),
    blocks: blocks.slice(0, limits.viewBlocks),
  };
}

/** What a person reads once what they confirmed is under way: its message is in their direct messages with the app. */
const startedWords = 'It is under way: my direct message to you tells how it goes.';

/** Shows something in a view that is open; answers `false` where its reader has closed it. */
export async function showInView(
  clients: SlackClients,
  { teamId }: Pick<Asker, 'teamId'>,
  view_id: string,
  view: types.ModalView,
): Promise<boolean> {
  const client = await clients(teamId);
  try {
    await client.views.update({ view_id, view });
    return true;
  } catch (error) {
    if (!isRefusedBySlack(error)) throw error;
    return false;
  }
}

/**
 * Creates a reply that speaks in an open view, for what is asked from the App Home, a shortcut, or such a view itself; in direct messages where it has been
 * closed meanwhile.
 */
export function createViewReply(
  clients: SlackClients,
  { asker, viewId, title }: { readonly asker: Asker; readonly viewId: string; readonly title: string },
): Reply {
  const direct = createReply(clients, { asker, origin: {} });
  const show = (blocks: types.KnownBlock[]) => showInView(clients, asker, viewId, answerView(title, blocks));

  const tell = async (message: Message) => {
    if (!(await show(message.blocks.flatMap(forView)))) await direct.tell(message);
  };
  return {
    tell,
    tellAll: tell,
    replace: tell,
    async post(message) {
      await direct.post(message, 'asker');
      await show([mrkdwn(inDirectWords.plain)]);
    },
    async forNow(message) {
      await tell(message);
      // The answer takes its place.
      return { edit: tell, async remove() {} };
    },
    async remove() {
      await show([heading('Done here'), mrkdwn(startedWords)]);
    },
  };
}

/** A view takes no tables. */
function forView(block: types.KnownBlock): types.KnownBlock[] {
  return block.type === 'table' ? tableAsList(block) : [block];
}
