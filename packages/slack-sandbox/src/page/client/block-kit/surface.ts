import { createContext, useContext } from 'react';

/** A person, channel or group as pickers list it. */
export interface NamedEntity {
  readonly id: string;
  readonly label: string;
  /** A second, dimmed line: a person's role, or how many members a channel has. */
  readonly hint?: string;
}

/** Properties that the `filter` of a conversations select checks. */
export interface ConversationTraits {
  readonly kind: 'public' | 'private' | 'im' | 'mpim';
  readonly isShared?: boolean;
  readonly isWithBot?: boolean;
}

/**
 * The names of IDs in this workspace, and the entries of its pickers. An unknown ID is shown
 * unchanged.
 */
export interface DisplayNames {
  user(id: string): string;
  channel(id: string): string;
  group(id: string): string;
  /** The entries of a users select, including bots. */
  readonly people: readonly NamedEntity[];
  /** The entries of a channels select. */
  readonly channels: readonly NamedEntity[];
  /** The entries of a conversations select: the channels and the direct messages with the app. */
  readonly conversations: readonly (NamedEntity & ConversationTraits)[];
  /** The IDs of the viewer and their groups. Mentions of these are highlighted. */
  readonly selfIds: ReadonlySet<string>;
  /** Opens a channel or person when a mention is clicked. If missing, mentions are plain text. */
  visit?(id: string): void;
}

/** The app's options for a menu, as `POST /sandbox/suggest` returns them. */
export interface SuggestResponse {
  readonly options?: readonly unknown[];
  readonly option_groups?: readonly unknown[];
  readonly error?: string;
}

/**
 * An input's value. The server needs it before the next action on the surface, and on submission.
 * The provider of the surface stores the latest value of each input.
 */
export interface InputValue {
  /** The `value` for `POST /sandbox/click`. Undefined if the input is empty. */
  readonly value: unknown;
  /** The value for `state.values`, as `POST /sandbox/submit` accepts it. */
  readonly state: Readonly<Record<string, unknown>>;
  /**
   * Set for an input with `dispatch_action`. Its value is sent only on submission, because an
   * action would notify the app.
   */
  readonly isForSubmitOnly: boolean;
}

/** Everything that blocks need: their values, and a way to send actions to the app. */
export interface Surface {
  readonly kind: 'message' | 'modal' | 'home';
  readonly names: DisplayNames;
  /** The server's `state.values`: by `block_id`, then by `action_id`. */
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Errors by `block_id`, from a `response_action` or the client's own validation. */
  readonly errors: Readonly<Record<string, string>>;
  /** The viewer's IANA time zone. */
  readonly timeZone: string;
  /**
   * Sends an element's action with its `value` or choice. Rejects with an error whose message can
   * be shown to people.
   */
  sendAction(blockId: string, actionId: string, value?: unknown): Promise<void>;
  /** Requests a menu's options for typed text. Rejects with an error whose message can be shown to people. */
  suggest(blockId: string, actionId: string, text: string): Promise<SuggestResponse>;
  /** Uploads a file, whose ID is the value of a field for files. Rejects like `suggest`. */
  upload(file: File): Promise<{ readonly id: string; readonly name: string }>;
  /** Reports each change of an input's value that isn't sent as an action. See `InputValue`. */
  setInput(blockId: string, actionId: string, kept: InputValue): void;
}

export const SurfaceContext = createContext<Surface | undefined>(undefined);

/** Returns the surface that contains the component. Throws if there is none. */
export function useSurface(): Surface {
  const surface = useContext(SurfaceContext);
  if (!surface) throw new Error('Blocks need a surface');
  return surface;
}
