/** The parts of the control API's responses that the page uses. */

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly real_name: string;
  readonly role: 'owner' | 'member' | 'guest' | 'stranger' | 'deactivated' | 'bot';
  readonly team_id: string;
  /** IANA time zone. */
  readonly tz: string;
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly members: readonly string[];
  readonly has_app: boolean;
  readonly is_archived: boolean;
  /** Whether only its members can see it. */
  readonly is_private: boolean;
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
  /** The app's name. */
  readonly app: string;
}

export interface AppData {
  readonly id: string;
  /** Counts from 1. */
  readonly number: number;
  readonly app_token: string;
  readonly name: string;
  readonly bot_id: string;
  readonly user_id: string;
  readonly home_tab: boolean;
  readonly messages_tab: 'off' | 'read-only' | 'open';
  /** Whether people can open threads with it as an assistant. */
  readonly is_assistant: boolean;
  readonly delivery: 'socket' | 'http';
  /** Number of open sockets. */
  readonly connections: number;
}

/** A step for Workflow Builder that an app offers. */
export interface WorkflowStep {
  readonly callback_id: string;
  readonly title: string;
  readonly description: string;
  readonly app_id: string;
  /** The app's name. */
  readonly app: string;
  readonly inputs: readonly StepInput[];
}

export interface StepInput {
  readonly name: string;
  readonly type: string;
  readonly title?: string;
  readonly description?: string;
  readonly is_required: boolean;
}

/** An MCP server that an app offers to Slackbot. */
export interface McpServerData {
  /** Its key in the manifest's `mcp_servers`. */
  readonly key: string;
  readonly url: string;
  readonly app_id: string;
}

/** The response of `GET /sandbox/workspace`. */
export interface WorkspaceData {
  readonly team: Team;
  readonly teams: readonly Team[];
  /** The app whose page is open, or else the first one. */
  readonly app: AppData;
  readonly apps: readonly AppData[];
  readonly people: readonly Person[];
  readonly channels: readonly Channel[];
  readonly groups: readonly Group[];
  readonly commands: readonly Command[];
  readonly shortcuts: readonly Shortcut[];
  readonly functions: readonly WorkflowStep[];
  readonly mcp_servers: readonly McpServerData[];
}

/** A block as the server sends it. */
export type Block = Readonly<Record<string, unknown>>;

/** `state.values`: by `block_id`, then by `action_id`. */
export type StateValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface FileData {
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
export interface MessageData {
  readonly ts: string;
  readonly user: string;
  readonly text: string;
  readonly subtype?: string;
  readonly bot_id?: string;
  /** The name under which the app posted the message, if that isn't its own. */
  readonly username?: string;
  readonly blocks?: readonly Block[];
  readonly attachments?: readonly Readonly<Record<string, unknown>>[];
  readonly files?: readonly FileData[];
  readonly edited?: { readonly ts: string };
  readonly thread_ts?: string;
  readonly reply_count?: number;
  readonly reply_users?: readonly string[];
  readonly latest_reply?: string;
  readonly ephemeral?: boolean;
  readonly reactions?: readonly {
    readonly name: string;
    readonly users: readonly string[];
    readonly count: number;
  }[];
  /** The work objects of the message. */
  readonly work_objects?: readonly WorkObject[];
  /** Whom the message notifies: `channel`, `here`, `everyone`, and IDs of people and groups. */
  readonly pings: readonly string[];
  readonly state?: { readonly values: StateValues };
}

/** A task, file or other object of another service, as the app describes it. */
export type WorkObject = Readonly<Record<string, unknown>>;

interface PlainText {
  readonly text: string;
}

/** The view of a modal, or a Home tab. */
export interface ViewData {
  readonly id: string;
  readonly hash: string;
  readonly type: 'modal' | 'home';
  readonly blocks: readonly Block[];
  readonly title: PlainText | null;
  readonly submit: PlainText | null;
  readonly close: PlainText | null;
  readonly state: { readonly values: StateValues };
}

/** The response of `GET /sandbox/views`. The top view of the modal comes last. */
export interface ViewsResponse {
  readonly modals: readonly ViewData[];
  readonly home: ViewData | null;
}

/** The result of a person's action. `error` is the text that Slack shows to the person. */
export interface ActionResult {
  readonly acknowledged?: boolean;
  readonly ack_ms?: number;
  readonly trigger_id?: string;
  readonly error?: string;
  readonly note?: string;
}

/** The response of `POST /sandbox/submit`. */
export interface SubmitResult extends ActionResult {
  readonly response_action?: 'errors' | 'update' | 'push' | 'clear';
  readonly errors?: Readonly<Record<string, string>>;
}

/**
 * An event of `GET /sandbox/events`, which says what to load again. `user` is set if only that
 * person sees the change.
 */
export interface SandboxEvent {
  readonly kind: string;
  readonly channel?: string;
  readonly ts?: string;
  readonly thread_ts?: string;
  readonly user?: string;
}
