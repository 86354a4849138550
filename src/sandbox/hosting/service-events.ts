import type { CallLogEntry } from './call-log.ts';

/** An event that subscribers of the service receive. */
export type ServiceEvent =
  /** A call arrived. If `tookMs` is set, the call was answered. */
  | { readonly kind: 'call'; readonly call: CallLogEntry }
  /** Someone opened a call on the page. */
  | { readonly kind: 'opened'; readonly call: CallLogEntry }
  | { readonly kind: 'faults' | 'keys' | 'reset' };

export interface ServiceEventBus {
  publish(happening: ServiceEvent): void;
  /** Returns a function that unsubscribes. */
  subscribe(listener: (happening: ServiceEvent) => void): () => void;
}

export function createServiceEventBus(): ServiceEventBus {
  const listeners = new Set<(happening: ServiceEvent) => void>();
  return {
    publish(happening) {
      for (const listener of [...listeners]) listener(happening);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
