/** Identifies a posted Slack message. */
export interface MessageRef {
  readonly channel: string;
  readonly ts: string;
}

/** Where a message goes. It stays there unless the app can't post there. */
export interface Destination {
  readonly teamId: string;
  /** The ID of a channel, or of a person for direct messages. */
  readonly channel: string;
  readonly threadTs?: string | undefined;
  /** The key of the message that begins the thread. This message waits until that one is posted. */
  readonly threadKey?: string | undefined;
  /** The channels and people that get the message if the app can't post in `channel`, in this order. */
  readonly fallbacks?: readonly string[];
  /** The message itself, if it was already posted. It is only edited. */
  readonly ref?: MessageRef | undefined;
}

/** What a message should show. */
export interface MessageState {
  /** Names what renders the content. Also the value of the label `kind` in the metrics. */
  readonly kind: string;
  /** Stored as JSON: what the message says, or the ID of what it is about. */
  readonly content: object;
  /** What the message is about, for the notice that it couldn't be delivered. */
  readonly about: string;
  /** The person who is told if it can't be delivered. */
  readonly creator?: string | undefined;
  /** Whether it is only about progress, so that other edits go first. */
  readonly isMinor?: boolean;
  /** When it is sent. Defaults to now. */
  readonly dueMs?: number | undefined;
}

/** A message as it is stored. */
export interface Message {
  readonly teamId: string;
  readonly key: string;
  readonly kind: string;
  readonly content: unknown;
  /** Whether what it should show is only about progress. */
  readonly isMinor: boolean;
  readonly about: string;
  readonly creator: string | null;
  readonly channel: string;
  /** The channel as it is stored: a person's ID for direct messages, where `channel` can be the conversation's. */
  readonly queueChannel: string;
  /** The channel that it was for, if the app can't post there. */
  readonly movedFrom: string | null;
  readonly fallbacks: readonly string[];
  /** The thread in which it is posted. */
  readonly threadTs: string | null;
  /** Incremented with each change of what it should show. */
  readonly version: number;
  readonly ref: MessageRef | null;
  /** When an attempt to post or edit it began, if the outcome is still unknown. */
  readonly postingMs: number | null;
  /** When it was first posted. */
  readonly postedMs: number | null;
  /** Whether it may be a repeat of a message that can't be searched for. */
  readonly mayRepeat: boolean;
  /** How many times in a row sending it has failed. */
  readonly attempts: number;
  /** When it was first given up. */
  readonly givenUpMs: number | null;
}

/** How Slack has answered. */
export type SendResult =
  /** `ref` is null if the message can't be edited. */
  | { readonly kind: 'sent'; readonly ref: MessageRef | null }
  /** There is nothing to show, because the subject was deleted. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'limited'; readonly retryInMs: number }
  /** Slack couldn't be reached, so nothing was sent. */
  | { readonly kind: 'away' }
  /** The app can't post in the channel or to the person. */
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** The message to edit was deleted, or can't be edited anymore. */
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

/** Sends messages to Slack. A method throws if it is unknown whether Slack did what it says. */
export interface Transport {
  /** Posts a message with its key as metadata. */
  post(message: Message): Promise<Exclude<SendResult, { kind: 'gone' }>>;
  edit(message: Message, ref: MessageRef): Promise<SendResult>;
  remove(message: Message, ref: MessageRef): Promise<SendResult>;
  /** Finds a message by its key that was being posted at `postingMs`. */
  find(message: Message, postingMs: number): Promise<FindResult>;
}
