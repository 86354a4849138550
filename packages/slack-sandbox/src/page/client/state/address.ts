import { useSyncExternalStore } from 'react';

/** The parts of the address after `#`: workspace, person, place, thread and message. */
export interface Address {
  readonly team?: string | undefined;
  readonly user?: string | undefined;
  /** ID of a channel, or a place of an app. */
  readonly place?: string | undefined;
  /** The `ts` of the thread's parent. */
  readonly thread?: string | undefined;
  /** A message's `ts`. */
  readonly message?: string | undefined;
}

/** Parses `#T0ACME/U0ALICE/C0OPS/1700000000.000100/p1700000001.000200`. Parts can be missing at the end. */
export function parseAddress(hash: string): Address {
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

export function formatAddress({ team, user, place, thread, message }: Address): string {
  return `#${[team, user, place, thread, message && `p${message}`].filter(Boolean).join('/')}`;
}

/** Returns the current address. */
export function useAddress(): Address {
  return parseAddress(useSyncExternalStore(subscribeToHash, () => location.hash));
}

function subscribeToHash(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}
