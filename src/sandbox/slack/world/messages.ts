import type { Change } from '../changes.ts';
import type { JsonObject } from '../json.ts';
import type { Mint } from '../mint.ts';

/** A message as Slack stores it. Counts of replies are worked out when it is read. */
export type Message = {
  readonly type: 'message';
  readonly subtype?: string;
  readonly ts: string;
  readonly user: string;
  /** The author's workspace. */
  readonly team: string;
  readonly text: string;
  readonly blocks?: readonly JsonObject[];
  readonly attachments?: readonly JsonObject[];
  readonly files?: readonly JsonObject[];
  readonly metadata?: JsonObject;
  readonly thread_ts?: string;
  readonly parent_user_id?: string;
  readonly edited?: { readonly user: string; readonly ts: string };
  readonly bot_id?: string;
  readonly app_id?: string;
  readonly bot_profile?: JsonObject;
  readonly client_msg_id?: string;
  /** Set for somebody from another organisation. */
  readonly user_team?: string;
  readonly source_team?: string;
};

/** What a message says; everything else about it is given by where and when it is posted. */
export type Draft = Omit<Message, 'type' | 'ts' | 'parent_user_id'>;

interface Entry {
  message: Message;
  /** Set for an ephemeral message: the only one who sees it. */
  readonly visibleTo?: string;
}

export interface MessageStore {
  post(channel: string, draft: Draft, visibleTo?: string): Message;
  /** Replaces what a message says, which must exist. The person who sees an ephemeral one is named. */
  edit(channel: string, ts: string, change: Partial<Draft>, visibleTo?: string): Message;
  /** Deletes a message; one that has replies leaves a tombstone. */
  remove(channel: string, ts: string, visibleTo?: string): void;
  /** Finds a message that everybody in the channel sees. */
  find(channel: string, ts: string): Message | undefined;
  findEphemeral(channel: string, ts: string, user: string): Message | undefined;
  /** Everything that everybody in the channel sees, replies too, oldest first. */
  list(channel: string): Message[];
  /** What one person sees, oldest first. */
  seenBy(channel: string, user: string): { message: Message; ephemeral: boolean }[];
  /** Loses one person's ephemeral messages, as reloading the client does. */
  forgetEphemerals(user: string): void;
}

export function createMessageStore(
  team: string,
  mint: Mint,
  publish: (change: Change) => void,
): MessageStore {
  const channels = new Map<string, Map<string, Entry>>();

  function entriesOf(channel: string) {
    const known = channels.get(channel) ?? new Map<string, Entry>();
    channels.set(channel, known);
    return known;
  }

  function get(channel: string, ts: string, visibleTo: string | undefined): Entry | undefined {
    const entry = channels.get(channel)?.get(ts);
    return entry?.visibleTo === visibleTo ? entry : undefined;
  }

  function must(channel: string, ts: string, visibleTo: string | undefined): Entry {
    const entry = get(channel, ts, visibleTo);
    if (!entry) throw new Error(`There is no message ${ts} in ${channel}`);
    return entry;
  }

  const everyone = (channel: string) =>
    [...entriesOf(channel).values()].filter((entry) => !entry.visibleTo).map((entry) => entry.message);

  const only = (user: string | undefined) => (user === undefined ? {} : { user });

  return {
    post(channel, draft, visibleTo) {
      const parent = draft.thread_ts === undefined ? undefined : get(channel, draft.thread_ts, undefined);
      const ts = mint.ts();
      const message = tidy({
        ...draft,
        type: 'message',
        ts,
        ...(parent && { parent_user_id: parent.message.user }),
      });
      entriesOf(channel).set(ts, { message, ...(visibleTo !== undefined && { visibleTo }) });
      publish({ kind: 'message_posted', team, channel, message, ...only(visibleTo) });
      return message;
    },
    edit(channel, ts, change, visibleTo) {
      const entry = must(channel, ts, visibleTo);
      const previous = entry.message;
      entry.message = tidy({ ...previous, ...change });
      publish({
        kind: 'message_changed',
        team,
        channel,
        message: entry.message,
        previous,
        ...only(visibleTo),
      });
      return entry.message;
    },
    remove(channel, ts, visibleTo) {
      const entry = must(channel, ts, visibleTo);
      const previous = entry.message;
      if (everyone(channel).some((message) => message.thread_ts === ts)) {
        entry.message = tombstone(previous);
      } else {
        entriesOf(channel).delete(ts);
      }
      publish({ kind: 'message_deleted', team, channel, previous, ...only(visibleTo) });
    },
    find: (channel, ts) => get(channel, ts, undefined)?.message,
    findEphemeral: (channel, ts, user) => get(channel, ts, user)?.message,
    list: everyone,
    seenBy: (channel, user) =>
      [...entriesOf(channel).values()]
        .filter((entry) => entry.visibleTo === undefined || entry.visibleTo === user)
        .map((entry) => ({ message: entry.message, ephemeral: entry.visibleTo !== undefined })),
    forgetEphemerals(user) {
      for (const entries of channels.values()) {
        for (const [ts, entry] of entries) if (entry.visibleTo === user) entries.delete(ts);
      }
    },
  };
}

/** Leaves out what an app empties to remove it. */
function tidy({ blocks, attachments, metadata, ...rest }: Message): Message {
  return {
    ...rest,
    ...(blocks?.length && { blocks }),
    ...(attachments?.length && { attachments }),
    ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
  };
}

function tombstone({ ts, user, team }: Message): Message {
  return { type: 'message', subtype: 'tombstone', ts, user, team, text: 'This message was deleted.' };
}

/** Adds what Slack says about a message's thread: number of replies, who replied, when last. */
export function withReplies(message: Message, all: readonly Message[]): JsonObject {
  const replies = all.filter((reply) => reply.thread_ts === message.ts && reply.ts !== message.ts);
  const latest = replies.at(-1);
  if (!latest) return message;
  const users = [...new Set(replies.map((reply) => reply.user))];
  return {
    ...message,
    thread_ts: message.ts,
    reply_count: replies.length,
    reply_users_count: users.length,
    reply_users: users,
    latest_reply: latest.ts,
  };
}
