import type { BlockAction } from '@slack/bolt';
import type { SlackClients } from '../../client/slack-clients.ts';
import { type Invocation, toOrigin } from '../../invocation.ts';
import { createInvocation } from './create-invocation.ts';

/**
 * Creates the invocation for a click. The reply goes to the message's channel, or into the modal in
 * which the click happened.
 */
export function createClickInvocation(body: BlockAction, teamId: string, clients: SlackClients): Invocation {
  const threadTs: unknown = body.container.thread_ts ?? body.message?.thread_ts;
  const { view, response_url: clickedUrl } = body;
  const origin = toOrigin({
    channel: body.channel?.id,
    threadTs: typeof threadTs === 'string' ? threadTs : undefined,
    // If the click opens a form, the form's reply uses this URL too, to post and not to replace the
    // message.
    responseUrl: clickedUrl,
  });
  const isHome = view?.type === 'home';
  const invocation = createInvocation(clients, {
    actor: { teamId, userId: body.user.id },
    origin,
    requestKey: `click:${body.trigger_id}`,
    triggerId: body.trigger_id,
    isClick: true,
    view: view && !isHome ? { id: view.id, title: view.title.text } : undefined,
    clickedUrl: isHome ? undefined : clickedUrl,
  });
  // Replies to a click on the App Home go into a new modal, because the Home itself doesn't change.
  return isHome ? { ...invocation, view: {} } : invocation;
}
