import { z } from 'zod';
import type { Actor, Origin } from '../operations/define/access/actor.ts';
import type { SlackClients } from './client/slack-clients.ts';
import { createReply, type Reply } from './messages/reply.ts';
import { createViewReply } from './messages/view-reply.ts';

/** One request by a person: a command, mention, form or button. */
export interface Invocation {
  readonly actor: Actor;
  readonly origin: Origin;
  /** Unique to this request, to recognize a second delivery by Slack. */
  readonly requestKey: string;
  /** Opens a modal, if used within 3 s after the request. A mention has no trigger. */
  readonly triggerId?: string;
  /** Whether a button was clicked. If so, missing or invalid input opens a form. */
  readonly isClick: boolean;
  /**
   * Set if the request came from a modal or the App Home. The reply then goes into a modal. `id` is the ID of
   * the modal that the request came from, if any.
   */
  readonly view?: { readonly id?: string };
  /** The response URL of a clicked button. With it, the reply can replace the button's message. */
  readonly clickedUrl?: string;
  readonly reply: Reply;
  /** Called once a stored run is sure to report the result, even after a restart. */
  readonly onTaken?: (() => void) | undefined;
  /** When the request arrived, by the jobs' clock. */
  readonly receivedMs?: number | undefined;
}

export const originSchema = z.object({
  channel: z.string().optional(),
  threadTs: z.string().optional(),
  responseUrl: z.string().optional(),
});

export function toOrigin({
  channel,
  threadTs,
  responseUrl,
}: { readonly [Part in keyof Origin]: Origin[Part] | undefined }): Origin {
  return { ...(channel && { channel }), ...(threadTs && { threadTs }), ...(responseUrl && { responseUrl }) };
}

interface InvocationSource {
  readonly actor: Actor;
  readonly origin: Origin;
  readonly requestKey: string;
  readonly triggerId?: string;
  readonly isClick?: boolean;
  readonly view?: { readonly id: string; readonly title: string } | undefined;
  readonly clickedUrl?: string | undefined;
}

/** Creates an invocation. Its reply goes into `view` if given, otherwise to where the request was made. */
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
