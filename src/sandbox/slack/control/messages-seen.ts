import { z } from 'zod';
import type { Core } from '../core.ts';
import { Impossible } from '../interactions/impossible.ts';
import { valuesOn } from '../interactions/surface.ts';
import type { JsonObject } from '../json.ts';
import { mayRead } from '../world/channels.ts';
import { type Message, withReplies } from '../world/messages.ts';
import { pingsIn } from '../world/pings.ts';
import { actorOf, channelOf, personFields } from './requests.ts';

const ts = z.string().regex(/^\d+\.\d+$/, 'a ts is seconds, a point and microseconds');

/** What `GET /sandbox/messages` takes. Whatever is left out limits nothing. */
export const messagesQuery = z.object({
  ...personFields,
  channel: z.string(),
  /** Loses what only this person saw, as a reload does. */
  reload: z.stringbool().default(false),
  /** Only the newest so many. */
  limit: z.coerce.number().int().min(1).optional(),
  /** Only older ones. */
  before: ts.optional(),
  /** Only this thread: its parent and the replies. */
  thread: ts.optional(),
  /** Only these, by commas; what is missing from the answer is not there any more. */
  only: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(ts))
    .optional(),
});

type MessagesQuery = z.output<typeof messagesQuery>;

/** Lists what somebody sees in a channel, oldest first, with threads' counts, pings and what they filled in. */
export function messagesSeen(core: Core, query: MessagesQuery): JsonObject[] {
  const { workspace, person } = actorOf(core, query);
  const channel = channelOf(core, workspace, person, query.channel);
  if (!mayRead(workspace, channel, person.id)) {
    throw new Impossible(`${person.id} cannot read ${channel.id}`);
  }
  if (query.reload) workspace.messages.forgetEphemerals(person.id);
  const replies = Map.groupBy(workspace.messages.list(channel.id), ({ thread_ts }) => thread_ts);
  const seen = workspace.messages
    .seenBy(channel.id, person.id)
    .filter(({ message }) => isAskedFor(message, query));
  const newest = query.limit === undefined ? seen : seen.slice(-query.limit);
  return newest.map(({ message, ephemeral }) => {
    const values = valuesOn({ kind: 'message', channel, message, isEphemeral: ephemeral }, workspace, person);
    return {
      ...withReplies(message, replies.get(message.ts) ?? []),
      ...(Object.keys(values).length > 0 && { state: { values } }),
      ...(ephemeral && { ephemeral }),
      pings: pingsIn(message),
    };
  });
}

function isAskedFor({ ts, thread_ts }: Message, { before, thread, only }: MessagesQuery): boolean {
  if (before !== undefined && Number(ts) >= Number(before)) return false;
  if (thread !== undefined && ts !== thread && thread_ts !== thread) return false;
  return only === undefined || only.includes(ts);
}
