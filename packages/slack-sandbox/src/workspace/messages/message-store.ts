import type { ChangeFeed } from '../../change-feed.ts';
import type { IdGenerator } from '../../id-generator.ts';
import type { Message, MessageDraft } from './message.ts';

interface StoredMessage {
  message: Message;
  /** Revision of the change that posted or last edited the message. */
  revision: number;
  /** Set for an ephemeral message, to the only person who can see it. */
  readonly visibleTo?: string;
}

interface VisibleMessage {
  readonly message: Message;
  readonly ephemeral: boolean;
  /** Revision of the change that posted or last edited the message. */
  readonly revision: number;
}

export interface MessageStore {
  post(channel: string, draft: MessageDraft, visibleTo?: string): Message;
  /**
   * Replaces the content of an existing message. For an ephemeral message, `visibleTo` is the
   * person who can see it.
   */
  update(channel: string, ts: string, change: Partial<MessageDraft>, visibleTo?: string): Message;
  /** Changes a message without an edit, such as by a reaction. The app gets no `message_changed`. */
  decorate(channel: string, ts: string, change: Partial<MessageDraft>): void;
  /** Deletes a message. If it has replies, a placeholder remains. */
  delete(channel: string, ts: string, visibleTo?: string): void;
  /** Returns a message that everyone in the channel can see. */
  find(channel: string, ts: string): Message | undefined;
  findEphemeral(channel: string, ts: string, user: string): Message | undefined;
  /** Returns all messages that everyone in the channel can see, including replies, oldest first. */
  list(channel: string): Message[];
  /** Returns the messages that a person can see, oldest first. */
  listVisibleTo(channel: string, user: string): VisibleMessage[];
  /** Deletes a person's ephemeral messages, like reloading the client does. */
  deleteEphemerals(user: string): void;
}

export function createMessageStore(
  team: string,
  ids: IdGenerator,
  changes: Pick<ChangeFeed, 'publish' | 'revision'>,
): MessageStore {
  const channels = new Map<string, Map<string, StoredMessage>>();
  const { publish } = changes;
  const nextRevision = () => changes.revision() + 1;

  function entriesOf(channel: string) {
    const known = channels.get(channel) ?? new Map<string, StoredMessage>();
    channels.set(channel, known);
    return known;
  }

  function get(channel: string, ts: string, visibleTo: string | undefined): StoredMessage | undefined {
    const entry = channels.get(channel)?.get(ts);
    return entry?.visibleTo === visibleTo ? entry : undefined;
  }

  function must(channel: string, ts: string, visibleTo: string | undefined): StoredMessage {
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
      const ts = ids.ts();
      const message = omitEmptyFields({
        ...draft,
        type: 'message',
        ts,
        ...(parent && { parent_user_id: parent.message.user }),
      });
      const entry = { message, revision: nextRevision(), ...(visibleTo !== undefined && { visibleTo }) };
      entriesOf(channel).set(ts, entry);
      publish({ kind: 'message_posted', team, channel, message, ...only(visibleTo) });
      return message;
    },
    update(channel, ts, change, visibleTo) {
      const entry = must(channel, ts, visibleTo);
      const previous = entry.message;
      entry.message = omitEmptyFields({ ...previous, ...change });
      entry.revision = nextRevision();
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
    decorate(channel, ts, change) {
      const entry = must(channel, ts, undefined);
      const previous = entry.message;
      entry.message = omitEmptyFields({ ...previous, ...change });
      entry.revision = nextRevision();
      const { message } = entry;
      publish({ kind: 'message_changed', team, channel, message, previous, isDecoration: true });
    },
    delete(channel, ts, visibleTo) {
      const entry = must(channel, ts, visibleTo);
      const previous = entry.message;
      if (everyone(channel).some((message) => message.thread_ts === ts)) {
        entry.message = createTombstone(previous);
        entry.revision = nextRevision();
      } else {
        entriesOf(channel).delete(ts);
      }
      publish({ kind: 'message_deleted', team, channel, previous, ...only(visibleTo) });
    },
    find: (channel, ts) => get(channel, ts, undefined)?.message,
    findEphemeral: (channel, ts, user) => get(channel, ts, user)?.message,
    list: everyone,
    listVisibleTo: (channel, user) =>
      [...entriesOf(channel).values()]
        .filter((entry) => entry.visibleTo === undefined || entry.visibleTo === user)
        .map(({ message, revision, visibleTo }) => ({
          message,
          revision,
          ephemeral: visibleTo !== undefined,
        })),
    deleteEphemerals(user) {
      for (const entries of channels.values()) {
        for (const [ts, entry] of entries) if (entry.visibleTo === user) entries.delete(ts);
      }
    },
  };
}

/** Removes the fields that an app has cleared. */
function omitEmptyFields({ blocks, attachments, metadata, reactions, pinned_to, ...rest }: Message): Message {
  return {
    ...rest,
    ...(blocks?.length && { blocks }),
    ...(attachments?.length && { attachments }),
    ...(reactions?.length && { reactions }),
    ...(pinned_to?.length && { pinned_to }),
    ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
  };
}

function createTombstone({ ts, user, team }: Message): Message {
  return { type: 'message', subtype: 'tombstone', ts, user, team, text: 'This message was deleted.' };
}
