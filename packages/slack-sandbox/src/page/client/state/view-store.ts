import type { ViewsResponse } from './control-api.ts';
import type { ControlClient } from './control-client.ts';
import { createStore, type Store } from './store.ts';

/** A person's modal, and an app's Home tab for this person. */
export interface ViewStore {
  readonly state: Store<ViewsResponse>;
  start(): () => void;
}

export function createViewStore(control: ControlClient, user: string, app: string): ViewStore {
  const state = createStore<ViewsResponse>({ modals: [], home: null });
  let isReading = false;
  let isStale = false;

  async function read() {
    isStale = true;
    if (isReading) return;
    isReading = true;
    try {
      while (isStale) {
        isStale = false;
        state.set(await control.get<ViewsResponse>('views', { user, app }));
      }
    } catch {
      // While the sandbox is offline, the old state stays. It is loaded again afterwards.
    } finally {
      isReading = false;
    }
  }

  return {
    state,
    start() {
      const stop = control.subscribe((change) => {
        const isOwn = ['modals', 'home'].includes(change.kind) && change.user === user;
        if (isOwn || ['connected', 'reset'].includes(change.kind)) void read();
      });
      void read();
      return stop;
    },
  };
}
