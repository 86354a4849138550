import type { Control } from './control.ts';
import { createStore, type Store } from './store.ts';
import { createUnread, type Unread } from './unread.ts';
import type { WorkspaceFacts } from './wire.ts';

/** One workspace, kept up to date. */
export interface Team {
  readonly control: Control;
  readonly facts: Store<WorkspaceFacts | undefined>;
  /** Whether the sandbox itself is there. */
  readonly link: Store<'opening' | 'open' | 'lost'>;
  /** Why the workspace cannot be shown. */
  readonly failure: Store<string | undefined>;
  readonly unread: Unread;
  /** Reads, and keeps up with changes until the answer is called. */
  start(): () => void;
}

export function createTeam(control: Control): Team {
  const facts = createStore<WorkspaceFacts | undefined>(undefined);
  const link = createStore<'opening' | 'open' | 'lost'>('opening');
  const failure = createStore<string | undefined>(undefined);
  const unread = createUnread(control, () => facts.get());

  async function read() {
    try {
      const found = await control.get<WorkspaceFacts>('workspace');
      if (JSON.stringify(found) !== JSON.stringify(facts.get())) facts.set(found);
      failure.set(undefined);
    } catch (error) {
      failure.set(error instanceof Error ? error.message : String(error));
    }
  }

  return {
    control,
    facts,
    link,
    failure,
    unread,
    start() {
      const stop = control.follow(({ kind }) => {
        if (kind === 'connected') link.set('open');
        if (kind === 'disconnected') link.set('lost');
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
