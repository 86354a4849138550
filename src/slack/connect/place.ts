import { z } from 'zod';
import type { KeyAct } from '../../workspaces/connection/connection.ts';
import { type Asking, originAt } from '../asking.ts';
import type { SlackClients } from '../clients.ts';
import { createReply } from '../reply.ts';

/** What there are dialogs for. */
export const keyActs = ['connect', 'rotate', 'disconnect'] as const satisfies readonly KeyAct[];

/** What a dialog carries with it in `private_metadata`: what it is for, and where it was asked. Never anything of a key. */
const place = z.object({
  act: z.enum(keyActs),
  channel: z.string().optional(),
  threadTs: z.string().optional(),
  responseUrl: z.string().optional(),
});

export type Place = z.infer<typeof place>;

/** Writes where a dialog was asked for. */
export function placeOf(act: KeyAct, { origin }: Asking): Place {
  return { act, ...origin };
}

/** Reads what a dialog carries. */
export function readPlace(metadata: string): Place {
  return place.parse(JSON.parse(metadata));
}

/** What was sent with a dialog, as something asked at the place where it was opened. */
export function askingAt(
  place: Place,
  { teamId, userId, requestKey }: Sender,
  clients: SlackClients,
): Asking {
  const asker = { teamId, userId };
  const origin = originAt(place);
  return {
    asker,
    origin,
    requestKey,
    isClick: false,
    reply: createReply(clients, { asker, origin }),
  };
}

/** Who sent a dialog, by the ids that Slack signed. */
export interface Sender {
  readonly teamId: string;
  readonly userId: string;
  readonly requestKey: string;
}
