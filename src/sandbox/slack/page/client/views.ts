import type { Control } from './control.ts';
import { createStore, type Store } from './store.ts';
import type { ViewsAnswer } from './wire.ts';

/** A person's modal and Home tab. */
export interface Views {
  readonly state: Store<ViewsAnswer>;
  start(): () => void;
}

export function createViews(control: Control, user: string): Views {
  const state = createStore<ViewsAnswer>({ modals: [], home: null });
  let isReading = false;
  let isStale = false;

  async function read() {
    isStale = true;
    if (isReading) return;
    isReading = true;
    try {
      while (isStale) {
        isStale = false;
        state.set(await control.get<ViewsAnswer>('views', { user }));
      }
    } catch {
      // The sandbox is away; what is shown stays until it is back, and then this is read again.
    } finally {
      isReading = false;
    }
  }

  return {
    state,
    start() {
      const stop = control.follow((change) => {
        const isOwn = ['modals', 'home'].includes(change.kind) && change.user === user;
        if (isOwn || ['connected', 'reset'].includes(change.kind)) void read();
      });
      void read();
      return stop;
    },
  };
}
