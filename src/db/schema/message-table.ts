/** Messages that Slack shows or should show. */
export interface MessageTable {
  team_id: string;
  /** Unique within the workspace, such as `run:ID`. */
  key: string;
  /** The kind of message, which determines how its content is rendered. */
  kind: string;
  /** JSON: the message's data, or the ID of what the message is about. */
  content: string;
  /** What the message is about, for the notice that it can't be delivered. */
  about: string;
  /** The person to notify if the message can't be delivered. */
  creator: string | null;
  /** The ID of a channel or, for direct messages, of a person. */
  channel: string;
  /** The channel the message was meant for, if the app couldn't post there. */
  moved_from: string | null;
  /** JSON: the channels and people to try, in this order, if the app can't post in `channel`. */
  fallbacks: string;
  thread_ts: string | null;
  /** The key of the thread's first message. */
  thread_key: string | null;
  /** 1 if the message only shows progress. Edits of other messages are sent first. */
  is_minor: number;
  /** Incremented each time the message has to be sent again. */
  version: number;
  /** The version that Slack shows, or 0 until the message is posted. */
  shown_version: number;
  /** Where the message was posted: the channel or, for a direct message, the conversation's ID. */
  posted_channel: string | null;
  ts: string | null;
  /** When the current attempt to post or edit the message began; `null` unless its outcome is unknown. */
  posting_at: number | null;
  /** When the message was first posted. */
  posted_at: number | null;
  /** 1 if the message may duplicate an earlier post, because the channel couldn't be searched for it. */
  may_repeat: number;
  /** The number of attempts in a row that failed. */
  attempts: number;
  /** When the message has to be sent; `null` if there is nothing to send. */
  due_at: number | null;
  /** When the content last changed. */
  changed_at: number;
  /** When Rackhand first gave up on delivering the message. */
  given_up_at: number | null;
  /** Why Rackhand gave up on delivering the message. */
  problem: string | null;
}
