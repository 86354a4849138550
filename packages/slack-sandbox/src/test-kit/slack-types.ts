/** An object of Slack. Every field that Slack sends is there, whether it is named here or not. */
export interface SlackObject {
  readonly [field: string]: unknown;
}

/** A message as a person sees it. */
export interface SlackMessage extends SlackObject {
  readonly ts: string;
  readonly text: string;
  readonly user: string;
  readonly thread_ts?: string;
  readonly blocks?: readonly SlackObject[];
  /** Whether only this person sees it. */
  readonly ephemeral?: boolean;
  /** Whom the message notifies: IDs of people and groups, `channel`, `here` or `everyone`. */
  readonly pings: readonly string[];
  /** The channel in which the message was found, as it was named. */
  readonly channel: string;
}

/** A modal or Home tab. */
export interface SlackView extends SlackObject {
  readonly id: string;
  readonly type: 'modal' | 'home';
  readonly callback_id: string;
  readonly blocks: readonly SlackObject[];
}

/** A file that a person uploads. */
export interface Upload {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** What people read instead of an image. */
  readonly alt_txt?: string;
}

/** A call that the app made, and Slack's answer. */
export interface SlackCall {
  readonly method: string;
  readonly args: SlackObject;
  readonly answer: SlackObject;
}

/** The result of a person's action. */
export interface ActResult {
  /** Whether the app acknowledged within 3 seconds. Undefined if nothing was sent to it. */
  readonly acknowledged?: boolean;
  readonly ack_ms?: number;
  /** The error that Slack shows the person, if any. */
  readonly error?: string;
  /** The message's `ts`, if the person posted one. */
  readonly ts?: string;
  readonly note?: string;
  /** The app's answer to a submission. */
  readonly response_action?: string;
  readonly errors?: Readonly<Record<string, string>>;
}

/** A string that the text or that of the blocks contains, an expression that it matches, or a function that decides. */
export type Pattern<T> = string | RegExp | ((candidate: T) => boolean);
