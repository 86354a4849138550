import { useSyncExternalStore } from 'react';

/** What the address names after `#`: workspace, person, conversation, thread, and a message to look at. */
export interface Address {
  readonly team?: string | undefined;
  readonly user?: string | undefined;
  /** A channel's id, `home`, or the person's own id: their direct messages with the app. */
  readonly place?: string | undefined;
  /** The parent's `ts`. */
  readonly thread?: string | undefined;
  /** A message's `ts`. */
  readonly message?: string | undefined;
}

/** Reads `#T0ACME/U0ALICE/C0OPS/1700000000.000100/p1700000001.000200`; what is missing at the end is not named. */
export function readAddress(hash: string): Address {
  const [team, user, place, ...rest] = hash
    .replace(/^#/, '')
    .split('/')
    .map((part) => part || undefined);
  const message = rest.find((part) => part?.startsWith('p'));
  return {
    team,
    user,
    place,
    thread: rest.find((part) => part && part !== message),
    message: message?.slice(1),
  };
}

export function hashOf({ team, user, place, thread, message }: Address): string {
  return `#${[team, user, place, thread, message && `p${message}`].filter(Boolean).join('/')}`;
}

/** Gives the address, and again whenever it changes. */
export function useAddress(): Address {
  return readAddress(useSyncExternalStore(onHashChange, () => location.hash));
}

function onHashChange(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}
