import type { SlackClients } from '../../client/slack-clients.ts';
import type { Invocation } from '../../invocation.ts';
import { createViewReply, loadingView } from '../../messages/view-reply.ts';

/**
 * Opens a modal for the reply to an App Home request, and returns the invocation with that modal as
 * its reply. Must be called soon, because a trigger is valid for 3 s. Other invocations are
 * returned unchanged.
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
