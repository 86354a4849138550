/** Identifies a posted Slack message. */
export interface MessageRef {
  readonly channel: string;
  readonly ts: string;
}

/** A message's destination. The destination changes only if the app can't post there. */
export interface Destination {
  readonly teamId: string;
  /** The ID of a channel, or of a person for direct messages. */
  readonly channel: string;
  readonly threadTs?: string | undefined;
  /** The key of the thread's first message. Replies wait until it's posted. */
  readonly threadKey?: string | undefined;
  /** The channels and people to try, in order, if the app can't post in `channel`. */
  readonly fallbacks?: readonly string[];
  /** The posted message, if it already exists. The outbox then only edits it. */
  readonly ref?: MessageRef | undefined;
}

export interface MessageState {
  /** Selects how the content is rendered. Also the value of the `kind` label in the metrics. */
  readonly kind: string;
  /** Stored as JSON: the message's data, or the ID of its subject. */
  readonly content: object;
  /** The message's subject, which a notice names if the message can't be delivered. */
  readonly about: string;
  /** The person to notify if the message can't be delivered. */
  readonly creator?: string | undefined;
  /** Whether the message only shows progress. Other edits go first. */
  readonly isMinor?: boolean;
  /** When to send the message. Defaults to now. */
  readonly dueMs?: number | undefined;
}

export interface Message {
  readonly teamId: string;
  readonly key: string;
  readonly kind: string;
  readonly content: unknown;
  /** Whether the message only shows progress. */
  readonly isMinor: boolean;
  readonly about: string;
  readonly creator: string | null;
  readonly channel: string;
  /** The stored channel. For direct messages, this is the person's ID, even if `channel` is the conversation's ID. */
  readonly queueChannel: string;
  /** The original channel, if the app couldn't post there. */
  readonly movedFrom: string | null;
  readonly fallbacks: readonly string[];
  readonly threadTs: string | null;
  /** Incremented each time the message has to be sent again. */
  readonly version: number;
  readonly ref: MessageRef | null;
  /** When an attempt to post or edit the message began, if the outcome is still unknown. */
  readonly postingMs: number | null;
  /** When the message was first posted. */
  readonly postedMs: number | null;
  /** Whether the message may duplicate an earlier post, because the channel couldn't be searched. */
  readonly mayRepeat: boolean;
  /** How many attempts in a row failed. */
  readonly attempts: number;
  /** When Rackhand first gave up on delivery. */
  readonly givenUpMs: number | null;
}

/** How an attempt to send, edit or remove a message in Slack ended. */
export type SendResult =
  /** `ref` is null if the message can't be edited. */
  | { readonly kind: 'sent'; readonly ref: MessageRef | null }
  /** Nothing was sent, because the message's subject was deleted. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'limited'; readonly retryInMs: number }
  /** Slack couldn't be reached, so nothing was sent. */
  | { readonly kind: 'away' }
  /** The app can't post in the channel or to the person. */
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** The message to edit was deleted or can no longer be edited. */
  | { readonly kind: 'gone'; readonly reason: string }
  /** Slack doesn't accept the content. */
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'notInstalled' };

export type FindResult =
  | { readonly kind: 'found'; readonly ref: MessageRef }
  | { readonly kind: 'notFound' }
  /** The app can't read the channel. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'limited'; readonly retryInMs: number };

/** Sends messages to Slack. Methods throw if the outcome is unknown. */
export interface Transport {
  /** Posts a message with its key as metadata. */
  post(message: Message): Promise<Exclude<SendResult, { kind: 'gone' }>>;
  edit(message: Message, ref: MessageRef): Promise<SendResult>;
  remove(message: Message, ref: MessageRef): Promise<SendResult>;
  /** Finds, by its key, a message that was being posted at `postingMs`. */
  find(message: Message, postingMs: number): Promise<FindResult>;
}
