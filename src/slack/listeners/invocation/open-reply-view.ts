import type { SlackClients } from '../../client/slack-clients.ts';
import type { Invocation } from '../../invocation.ts';
import { createViewReply, loadingView } from '../../messages/view-reply.ts';

/**
 * Opens the modal for the reply to an App Home request. Returns the invocation with that
 * reply. Other invocations are returned unchanged. A trigger is valid for 3 s.
 */
export async function openReplyView(
  clients: SlackClients,
  invocation: Invocation,
  title: string,
): Promise<Invocation> {
  const { actor, triggerId, view } = invocation;
  if (!view || view.id !== undefined || triggerId === undefined) return invocation;
  const client = await clients(actor.teamId);
  const opened = await client.views.open({ trigger_id: triggerId, view: loadingView(title) });
  const viewId = opened.view?.id;
  if (viewId === undefined) return invocation;
  return { ...invocation, view: { id: viewId }, reply: createViewReply(clients, { actor, viewId, title }) };
}
