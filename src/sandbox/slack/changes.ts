import type { Message } from './world/messages.ts';

/**
 * What all workspaces share and what is not for people's eyes: the app's connections, faults that wait or struck,
 * the clock that was moved, steps of the guide that were done.
 */
type SharedKind = 'connections' | 'faults' | 'clock' | 'guide';

/** Something that people would see change. `user` is set where only that person sees it. */
export type Change = { readonly team: string } & (
  | {
      readonly kind: 'message_posted';
      readonly channel: string;
      readonly message: Message;
      readonly user?: string;
    }
  | {
      readonly kind: 'message_changed';
      readonly channel: string;
      readonly message: Message;
      readonly previous: Message;
      readonly user?: string;
    }
  | {
      readonly kind: 'message_deleted';
      readonly channel: string;
      readonly previous: Message;
      readonly user?: string;
    }
  | { readonly kind: 'modals' | 'home'; readonly user: string }
  | { readonly kind: 'channel'; readonly channel: string }
  | { readonly kind: 'reset' | SharedKind }
);

/** Tells whoever listens what changed. */
export interface ChangeFeed {
  publish(change: Change): void;
  /** The answer stops the listening. */
  subscribe(listener: (change: Change) => void): () => void;
}

export function createChangeFeed(): ChangeFeed {
  const listeners = new Set<(change: Change) => void>();
  return {
    publish(change) {
      for (const listener of [...listeners]) listener(change);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
