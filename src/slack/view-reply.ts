import type { types } from '@slack/bolt';
import type { Asker } from '../operations/runs/run.ts';
import type { SlackClients } from './clients.ts';
import { heading, mrkdwn } from './render/blocks.ts';
import { limits } from './render/limits.ts';
import type { Message } from './render/message.ts';
import { tableAsList } from './render/table.ts';
import { plain } from './render/text.ts';
import type { Reply } from './reply.ts';

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

const postedWords = 'It is in your direct messages with me.';

/** Creates a reply that speaks in an open view, for what is asked from the App Home, a shortcut, or such a view itself. */
export function createViewReply(
  clients: SlackClients,
  { asker, viewId, title }: { readonly asker: Asker; readonly viewId: string; readonly title: string },
): Reply {
  async function show(blocks: types.KnownBlock[]): Promise<void> {
    const client = await clients(asker.teamId);
    await client.views.update({ view_id: viewId, view: answerView(title, blocks) });
  }

  const tell = ({ blocks }: Message) => show(blocks.flatMap(forView));
  return {
    tell,
    tellAll: tell,
    replace: tell,
    async post(message) {
      const client = await clients(asker.teamId);
      await client.chat.postMessage({ channel: asker.userId, ...message });
      await show([mrkdwn(postedWords)]);
    },
    remove: () => show([heading('Done here'), mrkdwn(startedWords)]),
  };
}

/** A view takes no tables. */
function forView(block: types.KnownBlock): types.KnownBlock[] {
  return block.type === 'table' ? tableAsList(block) : [block];
}
