/** Messages that Slack should show. */
export interface MessageTable {
  team_id: string;
  /** Unique in the workspace, such as `run:ID`. */
  key: string;
  /** Names what renders the content. */
  kind: string;
  /** JSON: what the message says, or the row that it is about. */
  content: string;
  /** What the message is about, for the notice that it couldn't be delivered. */
  about: string;
  /** The person who is told if the message can't be delivered. */
  creator: string | null;
  /** The ID of a channel, or of a person for direct messages. */
  channel: string;
  /** The channel that it was for, if the app can't post there. */
  moved_from: string | null;
  /** JSON: the channels and people that get it if the app can't post in `channel`, in this order. */
  fallbacks: string;
  thread_ts: string | null;
  /** The key of the message that begins the thread. */
  thread_key: string | null;
  /** Whether the message only shows progress, so that other edits go first. */
  is_minor: number;
  /** Incremented with each change of what the message should show. */
  version: number;
  /** The version that Slack shows; 0 before the message was posted. */
  shown_version: number;
  /** Where it was posted: for direct messages, the ID of the conversation. */
  posted_channel: string | null;
  ts: string | null;
  /** When an attempt to post or edit it began, if the outcome is still unknown. */
  posting_at: number | null;
  /** When it was first posted. */
  posted_at: number | null;
  /** Whether it may be a repeat of a message that can't be searched for. */
  may_repeat: number;
  /** How many times in a row sending it has failed. */
  attempts: number;
  /** When it is to be sent; `null` if Slack shows it. */
  due_at: number | null;
  /** When what it should show last changed. */
  changed_at: number;
  /** When it was first given up. */
  given_up_at: number | null;
  /** Why it was given up. */
  problem: string | null;
}
