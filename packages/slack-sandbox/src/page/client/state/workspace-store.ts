import type { WorkspaceData } from './control-api.ts';
import type { ControlClient } from './control-client.ts';
import { createStore, type Store } from './store.ts';
import { createUnreadStore, type UnreadStore } from './unread-store.ts';

/** One workspace, kept up to date. */
export interface WorkspaceStore {
  readonly control: ControlClient;
  readonly workspace: Store<WorkspaceData | undefined>;
  /** The state of the connection to the sandbox. */
  readonly connection: Store<'opening' | 'open' | 'lost'>;
  /** Why the workspace can't be shown. */
  readonly loadError: Store<string | undefined>;
  readonly unread: UnreadStore;
  /** Loads the workspace and keeps it up to date. Returns a function that stops this. */
  start(): () => void;
}

export function createWorkspaceStore(control: ControlClient): WorkspaceStore {
  const workspace = createStore<WorkspaceData | undefined>(undefined);
  const connection = createStore<'opening' | 'open' | 'lost'>('opening');
  const loadError = createStore<string | undefined>(undefined);
  const unread = createUnreadStore(control, () => workspace.get());

  async function read() {
    try {
      const found = await control.get<WorkspaceData>('workspace');
      if (JSON.stringify(found) !== JSON.stringify(workspace.get())) workspace.set(found);
      loadError.set(undefined);
    } catch (error) {
      loadError.set(error instanceof Error ? error.message : String(error));
    }
  }

  return {
    control,
    workspace,
    connection,
    loadError,
    unread,
    start() {
      const stop = control.subscribe(({ kind }) => {
        if (kind === 'connected') connection.set('open');
        if (kind === 'disconnected') connection.set('lost');
        if (['connected', 'channel', 'connections', 'reset'].includes(kind)) void read();
      });
      const stopCounting = unread.start();
      void read();
      return () => {
        stopCounting();
        stop();
      };
    },
  };
}
