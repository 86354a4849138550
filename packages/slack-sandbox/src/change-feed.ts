import type { Message } from './workspace/messages/message.ts';

/**
 * Changes that don't belong to a workspace's content: connections, faults, the clock, completed
 * steps of the guide, and what Slack refused.
 */
type SharedChangeKind = 'connections' | 'faults' | 'clock' | 'guide' | 'refusal';

/** A change that people can see. `user` is set if only that person can see it. */
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
      /** Set if nobody has edited the message: reactions, pins or a stream have changed. */
      readonly isDecoration?: boolean;
    }
  | {
      readonly kind: 'message_deleted';
      readonly channel: string;
      readonly previous: Message;
      readonly user?: string;
    }
  | { readonly kind: 'modals' | 'home' | 'entity'; readonly user: string }
  | { readonly kind: 'channel'; readonly channel: string }
  | { readonly kind: 'reset' | 'functions' | 'assistant' | SharedChangeKind }
);

/** Numbers changes and publishes them to subscribers. */
export interface ChangeFeed {
  /** Returns the number of the latest change, or 0 if there was none. */
  revision(): number;
  publish(change: Change): void;
  /** Returns a function that unsubscribes. */
  subscribe(listener: (change: Change) => void): () => void;
}

export function createChangeFeed(): ChangeFeed {
  const listeners = new Set<(change: Change) => void>();
  let revision = 0;
  return {
    revision: () => revision,
    publish(change) {
      revision += 1;
      for (const listener of [...listeners]) listener(change);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Resolves when there is a change later than `since`, or after the timeout. */
export function waitForChange(changes: ChangeFeed, since: number, timeoutMs: number): Promise<void> {
  if (changes.revision() > since) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timeout);
      unsubscribe();
      resolve();
    };
    const timeout = setTimeout(end, timeoutMs);
    const unsubscribe = changes.subscribe(end);
  });
}
