import { type Selectable, sql } from 'kysely';
import type { Database } from '../db/engines/database.ts';
import type { MessageTable } from '../db/schema/message-table.ts';
import { wasUpdated } from '../db/was-updated.ts';
import { minuteMs } from '../time/units.ts';
import type { Destination, Message, MessageRef, MessageState } from './message.ts';

/** The job kind whose claim lets a process send a workspace's messages. */
export const senderJobName = 'message';

/** What Slack currently rate-limits. */
export interface Limited {
  /** Channels where nothing can be posted now. */
  readonly channels: readonly string[];
  readonly isEditLimited: boolean;
}

export type MessageStore = ReturnType<typeof createMessageStore>;

export function createMessageStore(db: Database) {
  const update = ({ teamId, key }: Pick<Message, 'teamId' | 'key'>, executor = db) =>
    executor.updateTable('message').where('team_id', '=', teamId).where('key', '=', key);

  /**
   * Starts an update that applies only if the message's post hasn't changed since the message was read,
   * and if this process still holds the claim on the workspace's job.
   */
  const held = (message: Message, token: string, executor = db) =>
    update(message, executor)
      .where('ts', message.ref ? '=' : 'is', message.ref?.ts ?? null)
      .where((row) =>
        row.exists(
          row
            .selectFrom('job')
            .select('job.id')
            .where('job.kind', '=', senderJobName)
            .where('job.id', '=', message.teamId)
            .where('job.claim_token', '=', token),
        ),
      );

  /** Selects the due messages that don't have to wait for the first message of their thread. */
  const listSendable = (teamId: string, nowMs: number) =>
    db
      .selectFrom('message')
      .leftJoin('message as parent', (join) =>
        join.onRef('parent.team_id', '=', 'message.team_id').onRef('parent.key', '=', 'message.thread_key'),
      )
      .where('message.team_id', '=', teamId)
      .where('message.due_at', 'is not', null)
      .where((row) =>
        row.or([
          row('message.due_at', '<=', nowMs),
          // A row stored while the clock was ahead is due at once.
          row('message.changed_at', '>', nowMs + minuteMs),
        ]),
      )
      .where((row) =>
        row.or([
          row('message.ts', 'is not', null),
          row('parent.key', 'is', null),
          row('parent.ts', 'is not', null),
          row('parent.given_up_at', 'is not', null),
        ]),
      );

  return {
    /** Stores a message's content. An existing message keeps its destination. */
    async put(
      key: string,
      to: Destination,
      { kind, content, about, creator, isMinor = false, ...more }: MessageState,
      nowMs: number,
      executor: Database = db,
    ): Promise<void> {
      const { dueMs = nowMs } = more;
      const state = {
        kind,
        content: JSON.stringify(content),
        about,
        is_minor: isMinor ? 1 : 0,
        changed_at: nowMs,
      };
      await executor
        .insertInto('message')
        .values({
          team_id: to.teamId,
          key,
          ...state,
          creator: creator ?? null,
          channel: to.channel,
          fallbacks: JSON.stringify(to.fallbacks ?? []),
          thread_ts: to.threadTs ?? null,
          thread_key: to.threadKey ?? null,
          version: 1,
          shown_version: 0,
          posted_channel: to.ref?.channel ?? null,
          ts: to.ref?.ts ?? null,
          may_repeat: 0,
          attempts: 0,
          due_at: dueMs,
        })
        .onConflict((conflict) =>
          conflict.columns(['team_id', 'key']).doUpdateSet((old) => ({
            ...state,
            version: old('message.version', '+', 1),
            due_at: sql`case when message.due_at < excluded.due_at then message.due_at else excluded.due_at end`,
          })),
        )
        .execute();
    },

    async find(teamId: string, key: string, executor = db): Promise<Message | undefined> {
      const row = await executor
        .selectFrom('message')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('key', '=', key)
        .executeTakeFirst();
      return row && toMessage(row);
    },

    /** Returns the ID of the app's DM conversation with a person, if the app has posted there. */
    async findConversation(teamId: string, userId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('message')
        .select('posted_channel')
        .where('team_id', '=', teamId)
        .where('channel', '=', userId)
        .where('posted_channel', 'is not', null)
        .limit(1)
        .executeTakeFirst();
      return row?.posted_channel ?? undefined;
    },

    /** Lists messages that can be sent now, oldest first. Edits that only show progress come last. */
    async listDue(
      teamId: string,
      nowMs: number,
      { channels, isEditLimited }: Limited,
      { except, limit }: { readonly except: readonly string[]; readonly limit: number },
    ): Promise<readonly Message[]> {
      const rows = await listSendable(teamId, nowMs)
        .selectAll('message')
        .select([
          'parent.ts as parent_ts',
          'parent.posted_channel as parent_channel',
          'parent.moved_from as parent_moved_from',
        ])
        .$if(isEditLimited, (query) => query.where('message.ts', 'is', null))
        .$if(channels.length > 0, (query) =>
          query.where((row) =>
            row.or([row('message.ts', 'is not', null), row('message.channel', 'not in', [...channels])]),
          ),
        )
        .$if(except.length > 0, (query) => query.where('message.key', 'not in', [...except]))
        .orderBy(sql`case when message.ts is null then 0 else message.is_minor end`)
        .orderBy('message.due_at')
        .orderBy('message.key')
        .limit(limit)
        .execute();
      return rows.map((row) => {
        const { parent_ts: threadTs, parent_channel: channel, parent_moved_from: movedFrom } = row;
        // The thread's first message went to another destination, and this reply isn't meant for that destination.
        if (threadTs === null || channel === null || movedFrom !== null) return toMessage(row);
        // DMs aren't threaded, because threads are easily missed there.
        return { ...toMessage(row), channel, threadTs: channel.startsWith('D') ? null : threadTs };
      });
    },

    /** Returns when the next message becomes due, and whether any due message still waits to be sent. */
    async findNextDue(teamId: string, nowMs: number) {
      const { next } = await db
        .selectFrom('message')
        .select((row) => row.fn.min('due_at').as('next'))
        .where('team_id', '=', teamId)
        .where('due_at', '>', nowMs)
        .executeTakeFirstOrThrow();
      const waiting = await listSendable(teamId, nowMs).select('message.key').limit(1).executeTakeFirst();
      return { nextMs: next, isAnyWaiting: waiting !== undefined };
    },

    /** Lists the workspaces with messages to send but no job to send them. */
    async listWithoutJob(): Promise<readonly string[]> {
      const rows = await db
        .selectFrom('message')
        .select('team_id')
        .distinct()
        .where('due_at', 'is not', null)
        .where((row) =>
          row.not(
            row.exists(
              row
                .selectFrom('job')
                .select('job.id')
                .where('job.kind', '=', senderJobName)
                .whereRef('job.id', '=', 'message.team_id'),
            ),
          ),
        )
        .execute();
      return rows.map(({ team_id }) => team_id);
    },

    /** Records that posting a message has begun. Returns false if this process can no longer send the message. */
    async markPosting(
      message: Message,
      postingMs: number,
      mayRepeat: boolean,
      token: string,
    ): Promise<boolean> {
      return wasUpdated(
        held(message, token)
          .set({ posting_at: postingMs, may_repeat: mayRepeat ? 1 : 0 })
          .where('due_at', 'is not', null)
          .where('posting_at', message.postingMs === null ? 'is' : '=', message.postingMs),
      );
    },

    /** Records that an edit has begun and its outcome is unknown. */
    async markEditing(message: Message, startedMs: number): Promise<void> {
      await update(message)
        .set((old) => ({ posting_at: startedMs, due_at: old.fn.coalesce('due_at', old.val(startedMs)) }))
        .where('ts', '=', message.ref?.ts ?? null)
        .execute();
    },

    /** Records that nothing was posted. */
    async clearPosting(message: Message, postingMs: number): Promise<void> {
      await update(message).set({ posting_at: null }).where('posting_at', '=', postingMs).execute();
    },

    /** Records that a message was posted. Returns false if another process has taken over the message. */
    async savePosted(
      message: Message,
      ref: MessageRef | null,
      postingMs: number,
      nowMs: number,
    ): Promise<boolean> {
      return wasUpdated(
        update(message)
          .set((old) => ({
            ...shownColumns(message.version),
            posted_channel: ref?.channel ?? null,
            ts: ref?.ts ?? null,
            posted_at: old.fn.coalesce('posted_at', old.val(nowMs)),
          }))
          .where('posting_at', '=', postingMs)
          .where('ts', 'is', null),
      );
    },

    /** Records a post found from an earlier attempt. The post may show an older version of the message. */
    async saveFound(message: Message, ref: MessageRef, postingMs: number): Promise<void> {
      await update(message)
        .set((old) => ({
          posted_channel: ref.channel,
          ts: ref.ts,
          posting_at: null,
          posted_at: old.fn.coalesce('posted_at', old.val(postingMs)),
        }))
        .where('posting_at', '=', postingMs)
        .where('ts', 'is', null)
        .execute();
    },

    /**
     * Records the version shown by an edit. Returns false if the edit may have replaced a newer version from
     * another process.
     */
    async saveShown(message: Message, token: string): Promise<boolean> {
      return wasUpdated(
        held(message, token).set(shownColumns(message.version)).where('shown_version', '<=', message.version),
      );
    },

    /** Schedules a message to be sent again. Returns false if the message doesn't exist. */
    async showAgain(
      message: Pick<Message, 'teamId' | 'key'>,
      dueMs: number,
      executor: Database,
    ): Promise<boolean> {
      return wasUpdated(
        update(message, executor).set((old) => ({ version: old('version', '+', 1), due_at: dueMs })),
      );
    },

    /** Schedules all messages whose key starts with `keyPrefix` to be sent again. Returns whether any exist. */
    async showAllAgain(teamId: string, keyPrefix: string, dueMs: number, executor: Database) {
      const { numUpdatedRows } = await executor
        .updateTable('message')
        .set((old) => ({ version: old('version', '+', 1), due_at: dueMs }))
        .where('team_id', '=', teamId)
        .where('key', 'like', `${keyPrefix}%`)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /**
     * Schedules a message to be posted again, in `place` if given. Returns false if this process can no
     * longer send the message.
     */
    async postAnew(
      message: Message,
      token: string,
      nowMs: number,
      place?: { readonly channel: string; readonly fallbacks: readonly string[] },
      executor: Database = db,
    ): Promise<boolean> {
      return wasUpdated(
        held(message, token, executor).set({
          posted_channel: null,
          ts: null,
          posting_at: null,
          shown_version: 0,
          attempts: 0,
          due_at: nowMs,
          ...(place && {
            channel: place.channel,
            moved_from: message.movedFrom ?? message.channel,
            fallbacks: JSON.stringify(place.fallbacks),
            thread_ts: null,
            thread_key: null,
          }),
        }),
      );
    },

    /** Postpones a message that Slack may still be posting or editing. */
    async postpone(message: Message, token: string, nowMs: number, pauseMs: number): Promise<void> {
      await held(message, token)
        .set({ due_at: nowMs + pauseMs, changed_at: notAfter(nowMs) })
        .where('due_at', 'is not', null)
        .execute();
    },

    /** Schedules a retry for this version. A newer version is sent without the delay. */
    async retryLater(
      message: Message,
      token: string,
      { nowMs, pauseMs, attempts }: { nowMs: number; pauseMs: number; attempts: number },
    ): Promise<void> {
      await held(message, token)
        .set({ due_at: ofVersion(message, nowMs + pauseMs), changed_at: notAfter(nowMs), attempts })
        .where('due_at', 'is not', null)
        .execute();
    },

    /** Records that a message can't be delivered. Returns whether this is the first time. */
    async markGivenUp(
      message: Message,
      token: string,
      problem: string,
      nowMs: number,
      executor: Database,
    ): Promise<boolean> {
      const row = await held(message, token, executor)
        .set((old) => ({
          due_at: ofVersion(message, null),
          given_up_at: old.fn.coalesce('given_up_at', old.val(nowMs)),
          problem,
          attempts: 0,
        }))
        .returning('given_up_at')
        .executeTakeFirst();
      return row !== undefined && message.givenUpMs === null;
    },

    /** Drops the replies to a message that can't be posted, except replies that have fallbacks. */
    async dropReplies({ teamId, key }: Message, executor: Database): Promise<void> {
      await executor
        .updateTable('message')
        .set({ due_at: null })
        .where('team_id', '=', teamId)
        .where('thread_key', '=', key)
        .where('fallbacks', '=', '[]')
        .execute();
    },

    /** Deletes messages that haven't changed since `beforeMs` and have nothing left to send. */
    async deleteBefore(beforeMs: number): Promise<void> {
      await db.deleteFrom('message').where('due_at', 'is', null).where('changed_at', '<', beforeMs).execute();
    },

    /** Counts messages due before `dueBeforeMs`, and messages given up after `givenUpAfterMs`. */
    async count(dueBeforeMs: number, givenUpAfterMs: number) {
      const { late } = await db
        .selectFrom('message')
        .select((row) => row.fn.countAll<number>().as('late'))
        .where('due_at', '<', dueBeforeMs)
        .executeTakeFirstOrThrow();
      const givenUp = await db
        .selectFrom('message')
        .select((row) => ['kind', 'problem', row.fn.countAll<number>().as('messages')])
        .where('given_up_at', '>', givenUpAfterMs)
        .groupBy(['kind', 'problem'])
        .execute();
      return {
        late: Number(late),
        givenUp: givenUp.map(({ kind, problem, messages }) => ({
          kind,
          problem: problem ?? '',
          count: Number(messages),
        })),
      };
    },
  };
}

/** Returns the columns to set once Slack shows `version`. The message stays due if there is a newer version. */
function shownColumns(version: number) {
  return {
    shown_version: version,
    posting_at: null,
    attempts: 0,
    given_up_at: null,
    problem: null,
    due_at: ofVersion({ version }, null),
  };
}

/** Returns the value for `due_at`: `dueMs`, unless the message has a newer version, which keeps its due time. */
function ofVersion({ version }: Pick<Message, 'version'>, dueMs: number | null) {
  return sql<number | null>`case when version = ${version} then ${dueMs} else due_at end`;
}

/**
 * Returns the value for `changed_at`. A time in the future is replaced by `nowMs`, so the message is due
 * early only once.
 */
function notAfter(nowMs: number) {
  return sql<number>`case when changed_at > ${nowMs} then ${nowMs} else changed_at end`;
}

function toMessage(row: Selectable<MessageTable>): Message {
  return {
    teamId: row.team_id,
    key: row.key,
    kind: row.kind,
    content: JSON.parse(row.content),
    isMinor: row.is_minor === 1,
    about: row.about,
    creator: row.creator,
    channel: row.channel,
    queueChannel: row.channel,
    movedFrom: row.moved_from,
    fallbacks: JSON.parse(row.fallbacks),
    threadTs: row.thread_ts,
    version: row.version,
    ref: row.ts === null ? null : { channel: row.posted_channel ?? row.channel, ts: row.ts },
    postingMs: row.posting_at,
    postedMs: row.posted_at,
    mayRepeat: row.may_repeat === 1,
    attempts: row.attempts,
    givenUpMs: row.given_up_at,
  };
}
