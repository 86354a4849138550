import type { JsonObject } from '../../json.ts';
import type { Reaction } from './reactions.ts';

/** A message as Slack stores it. The number of replies is computed when the message is read. */
export type Message = {
  readonly type: 'message';
  readonly subtype?: string;
  readonly ts: string;
  readonly user: string;
  /** The workspace of the author. */
  readonly team: string;
  readonly text: string;
  readonly blocks?: readonly JsonObject[];
  readonly attachments?: readonly JsonObject[];
  readonly files?: readonly JsonObject[];
  /** Set if a person posted files. */
  readonly upload?: false;
  readonly display_as_bot?: false;
  readonly metadata?: JsonObject;
  readonly thread_ts?: string;
  readonly parent_user_id?: string;
  readonly edited?: { readonly user: string; readonly ts: string };
  readonly bot_id?: string;
  readonly app_id?: string;
  readonly bot_profile?: JsonObject;
  /** The name under which the app posted the message, if that isn't its own. */
  readonly username?: string;
  /** The avatar with which the app posted the message: an emoji or the URL of an image. */
  readonly icons?: JsonObject;
  readonly client_msg_id?: string;
  /** Set if the author is from another organization. */
  readonly user_team?: string;
  readonly source_team?: string;
  /** Set if the message was streamed: `in_progress`, then `completed`. */
  readonly streaming_state?: string;
  readonly reactions?: readonly Reaction[];
  /** Set on the first message of a thread with an assistant. */
  readonly assistant_app_thread?: JsonObject;
  /** IDs of the channels in which the message is pinned. */
  readonly pinned_to?: readonly string[];
};

/** The content of a message. The other fields depend on where and when it is posted. */
export type MessageDraft = Omit<Message, 'type' | 'ts' | 'parent_user_id'>;

/** Adds a summary of the thread: the number of replies, who replied, and when the last reply was posted. */
export function withReplySummary(message: Message, all: readonly Message[]): JsonObject {
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
