import { createContext, useContext } from 'react';

/** A person, channel or group by its id, as pickers list it. */
export interface Named {
  readonly id: string;
  readonly label: string;
  /** A second, quieter line: a person's role, a channel's number of members. */
  readonly hint?: string;
}

/** What the `filter` of a conversations select asks about. */
export interface ConversationTraits {
  readonly kind: 'public' | 'private' | 'im' | 'mpim';
  readonly isShared?: boolean;
  readonly isWithBot?: boolean;
}

/** What ids are called in this workspace, and what its pickers offer. An unknown id is its own name. */
export interface Names {
  user(id: string): string;
  channel(id: string): string;
  group(id: string): string;
  /** Everybody a users select offers, bots included. */
  readonly people: readonly Named[];
  /** What a channels select offers. */
  readonly channels: readonly Named[];
  /** What a conversations select offers: the channels, and the direct messages with the app. */
  readonly conversations: readonly (Named & ConversationTraits)[];
  /** The ids that mean the viewer: themselves and their groups. A mention of one stands out. */
  readonly own: ReadonlySet<string>;
  /** Goes to a channel or a person when a mention is pressed; mentions are plain text without it. */
  visit?(id: string): void;
}

/** What the app offered for a menu: the answer of `POST /sandbox/suggest`. */
export interface SuggestAnswer {
  readonly options?: readonly unknown[];
  readonly option_groups?: readonly unknown[];
  readonly error?: string;
}

/**
 * What stands in an input, for the server to know before the next `act` on the same surface, and for the submit.
 * Whoever gives the surface keeps the newest one of each input.
 */
export interface Kept {
  /** What `POST /sandbox/click` takes; `undefined` when the input is empty. */
  readonly value: unknown;
  /** What `state.values` holds for it, as `POST /sandbox/submit` takes it. */
  readonly state: Readonly<Record<string, unknown>>;
  /** The input has `dispatch_action`, so a click would go to the app: this goes with the submit alone. */
  readonly isForSubmitOnly: boolean;
}

/** What blocks stand on, and how what a person does to them reaches the app. */
export interface Surface {
  readonly kind: 'message' | 'modal' | 'home';
  readonly names: Names;
  /** `state.values` as the server keeps them: by `block_id`, then by `action_id`. */
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** `errors` of a `response_action` or of the client's own form rules, by `block_id`. */
  readonly errors: Readonly<Record<string, string>>;
  /** The viewer's IANA time zone. */
  readonly timeZone: string;
  /** Uses an element: a button's own `value`, or what was chosen. Rejects with an `Error` of the words to show. */
  act(blockId: string, actionId: string, value?: unknown): Promise<void>;
  /** Asks the app what a menu offers for a text. Rejects as `act` does. */
  suggest(blockId: string, actionId: string, text: string): Promise<SuggestAnswer>;
  /** Tells what stands in an input that is not used at once, each time it changes. See `Kept`. */
  keep(blockId: string, actionId: string, kept: Kept): void;
}

export const SurfaceContext = createContext<Surface | undefined>(undefined);

/** Reads the surface that the blocks stand on; throws outside of one. */
export function useSurface(): Surface {
  const surface = useContext(SurfaceContext);
  if (!surface) throw new Error('Blocks stand on no surface');
  return surface;
}
