import type { Actor, Origin } from '../../../operations/define/access/actor.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import type { Invocation } from '../../invocation.ts';
import { createReply } from '../../messages/reply.ts';
import { createViewReply } from '../../messages/view-reply.ts';

interface InvocationSource {
  readonly actor: Actor;
  readonly origin: Origin;
  readonly requestKey: string;
  readonly triggerId?: string;
  readonly isClick?: boolean;
  /** The modal that shows the reply, and its title. */
  readonly view?: { readonly id: string; readonly title: string } | undefined;
  /** The response URL of a clicked button. With it, the reply can replace the button's message. */
  readonly clickedUrl?: string | undefined;
}

/** Creates an invocation. Its reply goes into `view` if given, or else to the place of the request. */
export function createInvocation(
  clients: SlackClients,
  { actor, origin, requestKey, triggerId, isClick = false, view, clickedUrl }: InvocationSource,
): Invocation {
  return {
    actor,
    origin,
    requestKey,
    isClick,
    ...(triggerId !== undefined && { triggerId }),
    ...(view && { view: { id: view.id } }),
    ...(clickedUrl !== undefined && { clickedUrl }),
    reply: view
      ? createViewReply(clients, { actor, viewId: view.id, title: view.title })
      : createReply(clients, { actor, origin, ...(clickedUrl !== undefined && { clickedUrl }) }),
  };
}
