import { createContext, useContext } from 'react';
import type { Address } from './address.ts';
import type { Names } from './block-kit/surface.ts';
import type { Control } from './control.ts';
import type { Moments } from './moments.ts';
import type { Team } from './team.ts';
import type { Person, WorkspaceFacts } from './wire.ts';

/** Who uses the page, where, and what they can do anywhere on it. */
export interface Session {
  readonly control: Control;
  readonly team: Team;
  readonly workspace: WorkspaceFacts;
  readonly me: Person;
  readonly names: Names;
  readonly moments: Moments;
  /** The conversation shown: a channel's id, `home`, or the person's own id. */
  readonly place: string;
  /** The id of that conversation as events and messages have it. */
  readonly channel: string;
  /** The parent's `ts` of the thread shown. */
  readonly thread: string | undefined;
  /** The `ts` of the message that the address points at. */
  readonly message: string | undefined;
  /** Whether this page was reloaded and has not asked for messages since. */
  readonly isReloaded: boolean;
  /** Writes the address of another place, for links; what is not named stays, but for the thread and message. */
  hrefOf(address: Address): string;
  go(address: Address): void;
  /** Shows words for a while. */
  notify(words: string, kind?: 'trouble' | 'note'): void;
  /** Runs what a person asked for, and shows what went wrong or what they should know. */
  tell(act: Promise<{ readonly error?: string; readonly note?: string }>): Promise<void>;
  /** Uses a shortcut, on a message of this channel where its `ts` is given. */
  runShortcut(callbackId: string, message?: { readonly channel: string; readonly ts: string }): Promise<void>;
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** Gives the session; throws outside of one. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('Nobody uses the page here');
  return session;
}
