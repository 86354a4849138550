import type { BlockAction } from '@slack/bolt';
import { type Asking, originAt } from './asking.ts';
import type { SlackClients } from './clients.ts';
import { createReply } from './reply.ts';
import { createViewReply } from './view-reply.ts';

/** Tells what a press of a button, or a choice in a select, asks for: answered in the message's channel, or in the view that it stands in. */
export function askingOfClick(body: BlockAction, teamId: string, clients: SlackClients): Asking {
  const asker = { teamId, userId: body.user.id };
  const threadTs: unknown = body.container.thread_ts ?? body.message?.thread_ts;
  const { view, response_url: clickedUrl } = body;
  const origin = originAt({
    channel: body.channel?.id,
    threadTs: typeof threadTs === 'string' ? threadTs : undefined,
    // A form that the click opens speaks by it too; only what replaces speaks of the message itself.
    responseUrl: clickedUrl,
  });
  const common = {
    asker,
    origin,
    requestKey: clickKey(body),
    triggerId: body.trigger_id,
    isClick: true,
  };
  // The Home stays as it is: what is asked there is answered in a view of its own.
  if (view?.type === 'home') return { ...common, view: {}, reply: createReply(clients, { asker, origin }) };
  if (view) {
    const reply = createViewReply(clients, { asker, viewId: view.id, title: view.title.text });
    return { ...common, view: { id: view.id }, reply };
  }
  return {
    ...common,
    reply: createReply(clients, { asker, origin, ...(clickedUrl && { clickedUrl }) }),
  };
}

/** Names a click, so that one that is delivered twice is known. */
export function clickKey({ trigger_id }: BlockAction): string {
  return `click:${trigger_id}`;
}
