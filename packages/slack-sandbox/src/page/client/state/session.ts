import { createContext, useContext } from 'react';
import type { DisplayNames } from '../block-kit/surface.ts';
import type { Address } from './address.ts';
import type { AppPlaces } from './app-places.ts';
import type { Person, WorkspaceData } from './control-api.ts';
import type { ControlClient } from './control-client.ts';
import type { TimestampFormatter } from './timestamp-formatter.ts';
import type { WorkspaceStore } from './workspace-store.ts';

/** The current person and place, and the page-wide actions. */
export interface Session {
  readonly control: ControlClient;
  readonly workspaceStore: WorkspaceStore;
  readonly workspace: WorkspaceData;
  readonly me: Person;
  /** The places of the app whose page is open, or else of the first one. */
  readonly appPlaces: AppPlaces;
  /** Whether the app's Home tab is open. */
  readonly isHome: boolean;
  readonly names: DisplayNames;
  readonly timestamps: TimestampFormatter;
  /** The current place of the address: ID of a channel, or a place of an app. */
  readonly place: string;
  /** The conversation's ID in events and messages. */
  readonly channel: string;
  /** The `ts` of the open thread's parent. */
  readonly thread: string | undefined;
  /** The `ts` of the message to which the address points. */
  readonly message: string | undefined;
  /** Whether the page was reloaded and hasn't requested any messages since. */
  readonly isReloaded: boolean;
  /**
   * Returns a link to another place. Parts that are left out stay the same, except for thread and
   * message.
   */
  hrefOf(address: Address): string;
  navigate(address: Address): void;
  /** Shows a notification for a while. */
  notify(words: string, kind?: 'trouble' | 'note'): void;
  /** Waits for an action and shows its error or note. */
  runAndNotify(act: Promise<{ readonly error?: string; readonly note?: string }>): Promise<void>;
  /** Runs a shortcut. If `message` is given, runs it on that message. */
  runShortcut(callbackId: string, message?: { readonly channel: string; readonly ts: string }): Promise<void>;
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** Returns the session. Throws if there is none. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no session here');
  return session;
}
