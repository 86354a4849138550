import type { Call } from './call-log.ts';

/** Something that whoever watches the service hears of. */
export type Happening =
  /** A call arrived, or was answered when `tookMs` is set. */
  | { readonly kind: 'call'; readonly call: Call }
  /** Somebody opened a call on the page. */
  | { readonly kind: 'looked'; readonly call: Call }
  | { readonly kind: 'faults' | 'keys' | 'reset' };

/** Tells whoever listens what happens. */
export interface Happenings {
  publish(happening: Happening): void;
  /** The answer stops the listening. */
  subscribe(listener: (happening: Happening) => void): () => void;
}

export function createHappenings(): Happenings {
  const listeners = new Set<(happening: Happening) => void>();
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
