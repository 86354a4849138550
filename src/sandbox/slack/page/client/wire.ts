/** What the control API answers, as far as the page reads it. */

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly real_name: string;
  readonly role: 'owner' | 'member' | 'guest' | 'stranger' | 'bot';
  readonly team_id: string;
  /** IANA zone. */
  readonly tz: string;
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly members: readonly string[];
  readonly has_app: boolean;
  readonly is_archived: boolean;
  readonly is_shared: boolean;
}

export interface Group {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly users: readonly string[];
}

export interface Command {
  readonly command: string;
  readonly description: string;
  readonly usage_hint?: string;
}

export interface Shortcut {
  readonly name: string;
  readonly type: 'global' | 'message';
  readonly callback_id: string;
  readonly description: string;
}

export interface AppFacts {
  readonly id: string;
  readonly name: string;
  readonly bot_id: string;
  readonly user_id: string;
  readonly home_tab: boolean;
  readonly messages_tab: 'off' | 'read-only' | 'open';
  readonly delivery: 'socket' | 'http';
  /** Open sockets. */
  readonly connections: number;
}

/** `GET /sandbox/workspace` */
export interface WorkspaceFacts {
  readonly team: Team;
  readonly teams: readonly Team[];
  readonly app: AppFacts;
  readonly people: readonly Person[];
  readonly channels: readonly Channel[];
  readonly groups: readonly Group[];
  readonly commands: readonly Command[];
  readonly shortcuts: readonly Shortcut[];
}

/** A block as it came over the wire. */
export type Block = Readonly<Record<string, unknown>>;

/** `state.values`: by `block_id`, then by `action_id`. */
export type StateValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface FileFacts {
  readonly id: string;
  readonly name: string;
  readonly title?: string;
  readonly mimetype: string;
  readonly pretty_type: string;
  readonly size: number;
  readonly url_private: string;
  readonly alt_txt?: string;
}

/** A message as one person sees it. */
export interface MessageFacts {
  readonly ts: string;
  readonly user: string;
  readonly text: string;
  readonly subtype?: string;
  readonly bot_id?: string;
  readonly blocks?: readonly Block[];
  readonly attachments?: readonly Readonly<Record<string, unknown>>[];
  readonly files?: readonly FileFacts[];
  readonly edited?: { readonly ts: string };
  readonly thread_ts?: string;
  readonly reply_count?: number;
  readonly reply_users?: readonly string[];
  readonly latest_reply?: string;
  readonly ephemeral?: boolean;
  /** `channel`, `here`, `everyone`, and ids of people and groups. */
  readonly pings: readonly string[];
  readonly state?: { readonly values: StateValues };
}

interface PlainText {
  readonly text: string;
}

/** A modal's view or a Home tab. */
export interface ViewFacts {
  readonly id: string;
  readonly hash: string;
  readonly type: 'modal' | 'home';
  readonly blocks: readonly Block[];
  readonly title: PlainText | null;
  readonly submit: PlainText | null;
  readonly close: PlainText | null;
  readonly state: { readonly values: StateValues };
}

/** `GET /sandbox/views`: the top view of the modal comes last. */
export interface ViewsAnswer {
  readonly modals: readonly ViewFacts[];
  readonly home: ViewFacts | null;
}

/** What becomes of something that a person does; `error` is what Slack shows them. */
export interface Reaction {
  readonly acknowledged?: boolean;
  readonly ack_ms?: number;
  readonly trigger_id?: string;
  readonly error?: string;
  readonly note?: string;
}

/** `POST /sandbox/submit` */
export interface Submission extends Reaction {
  readonly response_action?: 'errors' | 'update' | 'push' | 'clear';
  readonly errors?: Readonly<Record<string, string>>;
}

/** An entry of `GET /sandbox/events`: what to read again. `user` is set where only that person sees it. */
export interface Change {
  readonly kind: string;
  readonly channel?: string;
  readonly ts?: string;
  readonly thread_ts?: string;
  readonly user?: string;
}
