/** Messages that Slack should show. */
export interface MessageTable {
  team_id: string;
  /** Unique within the workspace, such as `run:ID`. */
  key: string;
  /** Selects how the content is rendered. */
  kind: string;
  /** JSON: the message's data, or the ID of its subject. */
  content: string;
  /** The message's subject, named in the notice if it can't be delivered. */
  about: string;
  /** The person to notify if the message can't be delivered. */
  creator: string | null;
  /** The ID of a channel, or of a person for direct messages. */
  channel: string;
  /** The original channel, if the app couldn't post there. */
  moved_from: string | null;
  /** JSON: the channels and people to try, in order, if the app can't post in `channel`. */
  fallbacks: string;
  thread_ts: string | null;
  /** The key of the thread's first message. */
  thread_key: string | null;
  /** Whether the message only shows progress. Other edits go first. */
  is_minor: number;
  /** Incremented each time the message has to be sent again. */
  version: number;
  /** The version that Slack shows; 0 until the message is posted. */
  shown_version: number;
  /** Where the message was posted. For a direct message, the conversation's ID. */
  posted_channel: string | null;
  ts: string | null;
  /** When an attempt to post or edit the message began, if the outcome is still unknown. */
  posting_at: number | null;
  /** When the message was first posted. */
  posted_at: number | null;
  /** Whether the message may duplicate an earlier post, because the channel couldn't be searched. */
  may_repeat: number;
  /** How many attempts in a row failed. */
  attempts: number;
  /** When to send the message; `null` if there is nothing to send. */
  due_at: number | null;
  /** When the content last changed. */
  changed_at: number;
  /** When delivery was first given up. */
  given_up_at: number | null;
  /** Why delivery was given up. */
  problem: string | null;
}
