import { z } from 'zod';
import { getValues } from '../acts/interaction-surface.ts';
import { InvalidActionError } from '../acts/invalid-action-error.ts';
import type { Core } from '../core.ts';
import type { JsonObject } from '../json.ts';
import { canRead } from '../workspace/channels/channel-lookup.ts';
import { findMentions } from '../workspace/messages/mentions.ts';
import { type Message, withReplySummary } from '../workspace/messages/message.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { personFields, resolveActor, resolveChannel, revision } from './requests.ts';

const ts = z.string().regex(/^\d+\.\d+$/, 'a ts is seconds, a dot and microseconds');

/** The query of `GET /sandbox/messages`. A field that is left out doesn't filter. */
export const messagesQuery = z.object({
  ...personFields,
  channel: z.string(),
  /** Whether to delete the person's ephemeral messages, as reloading the client does. */
  reload: z.stringbool().default(false),
  /** Returns only this many of the newest messages. */
  limit: z.coerce.number().int().min(1).optional(),
  /** Returns only messages older than this `ts`. */
  before: ts.optional(),
  /** Returns only messages that were posted or edited after this revision. */
  since: revision.optional(),
  /** Returns only this thread, which is its parent and the replies. */
  thread: ts.optional(),
  /** Returns only these messages (comma-separated `ts`). Deleted messages are missing from the response. */
  only: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(ts))
    .optional(),
});

type MessagesQuery = z.output<typeof messagesQuery>;

/**
 * Lists the messages that a person can see in a channel, oldest first. Includes reply counts,
 * mentions and entered values.
 */
export function listVisibleMessages(core: Core, query: MessagesQuery): JsonObject[] {
  const { workspace, person } = resolveActor(core, query);
  const channel = resolveChannel(core, workspace, person, query.channel);
  if (!canRead(workspace, channel, person.id)) {
    throw new InvalidActionError(`${person.id} cannot read ${channel.id}`);
  }
  if (query.reload) workspace.messages.deleteEphemerals(person.id);
  const replies = groupByThread(workspace.messages.list(channel.id));
  const seen = workspace.messages
    .listVisibleTo(channel.id, person.id)
    .filter(({ revision }) => query.since === undefined || revision > query.since)
    .filter(({ message }) => matchesQuery(message, query));
  const newest = query.limit === undefined ? seen : seen.slice(-query.limit);
  return newest.map(({ message, ephemeral }) => {
    const values = getValues(
      { kind: 'message', channel, message, isEphemeral: ephemeral },
      workspace,
      person,
    );
    return {
      ...withReplySummary(message, replies.get(message.ts) ?? []),
      ...(Object.keys(values).length > 0 && { state: { values } }),
      ...(ephemeral && { ephemeral }),
      ...toWorkObjectField(workspace, channel.id, message.ts),
      pings: findMentions(message),
    };
  });
}

function toWorkObjectField({ workObjects }: Workspace, channel: string, ts: string): JsonObject {
  const objects = workObjects.get(`${channel}/${ts}`);
  return objects ? { work_objects: objects } : {};
}

function groupByThread(messages: readonly Message[]): ReadonlyMap<string, readonly Message[]> {
  const threads = new Map<string, Message[]>();
  for (const message of messages) {
    if (message.thread_ts === undefined) continue;
    const thread = threads.get(message.thread_ts);
    if (thread) thread.push(message);
    else threads.set(message.thread_ts, [message]);
  }
  return threads;
}

function matchesQuery({ ts, thread_ts }: Message, { before, thread, only }: MessagesQuery): boolean {
  if (before !== undefined && Number(ts) >= Number(before)) return false;
  if (thread !== undefined && ts !== thread && thread_ts !== thread) return false;
  return only === undefined || only.includes(ts);
}
