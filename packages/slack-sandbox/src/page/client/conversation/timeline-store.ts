import type { MessageData, SandboxEvent } from '../state/control-api.ts';
import type { ControlClient } from '../state/control-client.ts';
import { createStore, type Store } from '../state/store.ts';

/** How many messages are loaded at first, and each time that older ones are loaded. */
const pageSize = 100;
/** How many messages stay loaded while the person is at the end. */
export const maxMessagesAtEnd = 3 * pageSize;
/** If more messages have changed, all of them are loaded again. */
const maxChangesPerRead = 50;

/** The messages that a person sees in a conversation or thread. The oldest comes first. */
export interface Timeline {
  readonly messages: readonly MessageData[];
  readonly hasEarlier: boolean;
  readonly isLoaded: boolean;
  /** Why nothing can be shown, as the sandbox says it. */
  readonly failure?: string;
}

export interface TimelineStore {
  readonly state: Store<Timeline>;
  /** Loads the messages and keeps them up to date. Returns a function that stops this. */
  start(): () => void;
  /** Loads the messages before the oldest loaded one. */
  loadEarlier(): Promise<void>;
  /** Loads messages back to the one with this `ts`. */
  loadBackTo(ts: string): Promise<void>;
  /** Removes the oldest loaded messages, so that the page stays fast. */
  trim(): void;
}

interface Options {
  readonly control: ControlClient;
  readonly user: string;
  readonly channel: string;
  /** Limits the messages to this thread: its parent and the replies. */
  readonly thread?: string | undefined;
  /** Whether the page was reloaded. Slack's clients lose ephemeral messages when that happens. */
  readonly isReloaded?: boolean;
}

/**
 * Creates a store that loads messages with `GET /sandbox/messages`. Its parameters are `limit`
 * (only this many of the newest), `before` (only messages older than this `ts`), `only` (only these
 * `ts`, comma-separated; messages missing from the response were deleted) and `thread` (only this
 * parent and its replies).
 */
export function createTimelineStore({ control, user, channel, thread, isReloaded }: Options): TimelineStore {
  const state = createStore<Timeline>({ messages: [], hasEarlier: false, isLoaded: false });
  const changed = new Set<string>();
  let shownCount = pageSize;
  let isReading = false;
  let isStale = false;
  let isForgetful = isReloaded === true;

  async function read(query: Record<string, string>): Promise<MessageData[]> {
    const { messages } = await control.get<{ messages: MessageData[] }>('messages', {
      channel,
      user,
      ...(thread !== undefined && { thread }),
      ...query,
    });
    return messages;
  }

  async function readAll() {
    const reload = isForgetful && { reload: 'true' };
    isForgetful = false;
    const limit: Record<string, string> = thread === undefined ? { limit: String(shownCount) } : {};
    const messages = await read({ ...limit, ...reload });
    const hasEarlier = thread === undefined && messages.length >= shownCount;
    state.set({ messages: reuseUnchanged(state.get().messages, messages), hasEarlier, isLoaded: true });
  }

  async function readChanged() {
    const asked = [...changed];
    changed.clear();
    const answer = await read({ only: asked.join(',') });
    const { messages: known, hasEarlier } = state.get();
    const oldest = known[0]?.ts;
    // Changed messages that are older than the loaded ones are loaded when the person scrolls to
    // them.
    const found = answer.filter(
      ({ ts }) => !hasEarlier || oldest === undefined || compareTs(ts, oldest) >= 0,
    );
    const rest = known.filter(({ ts }) => !asked.includes(ts));
    const messages = [...rest, ...found].sort((a, b) => compareTs(a.ts, b.ts));
    state.set({ ...state.get(), messages: reuseUnchanged(known, messages) });
  }

  /** Runs the pending loads, one at a time. */
  async function refresh() {
    if (isReading) return;
    isReading = true;
    try {
      while (isStale || changed.size > 0) {
        if (isStale || changed.size > maxChangesPerRead) {
          isStale = false;
          changed.clear();
          await readAll();
        } else {
          await readChanged();
        }
      }
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      state.set({ messages: [], hasEarlier: false, isLoaded: true, failure });
    } finally {
      isReading = false;
    }
  }

  function hear(change: SandboxEvent) {
    const isOthers = change.user !== undefined && change.user !== user;
    if (isOthers || (change.channel !== undefined && change.channel !== channel)) return;
    if (change.kind === 'message' && change.ts !== undefined) {
      changed.add(change.ts);
      if (change.thread_ts !== undefined) changed.add(change.thread_ts);
    } else if (['message', 'channel', 'reset', 'connected'].includes(change.kind)) {
      isStale = true;
    }
    void refresh();
  }

  async function loadEarlier() {
    const oldest = state.get().messages[0]?.ts;
    if (oldest === undefined) return;
    const older = await read({ before: oldest, limit: String(pageSize) });
    shownCount += older.length;
    const hasEarlier = older.length >= pageSize;
    state.set({ ...state.get(), messages: [...older, ...state.get().messages], hasEarlier });
  }

  return {
    state,
    start() {
      const stop = control.subscribe(hear);
      isStale = true;
      void refresh();
      return stop;
    },
    loadEarlier,
    async loadBackTo(ts) {
      const isFurtherBack = () =>
        state.get().hasEarlier && compareTs(ts, state.get().messages[0]?.ts ?? ts) < 0;
      while (isFurtherBack()) await loadEarlier();
    },
    trim() {
      const { messages } = state.get();
      if (thread !== undefined) return;
      shownCount = pageSize;
      state.set({ ...state.get(), messages: messages.slice(-pageSize), hasEarlier: true });
    },
  };
}

/** Compares two `ts`. The result is positive if the first one is later. */
function compareTs(a: string, b: string): number {
  return Number(a) - Number(b);
}

/** Keeps the objects of unchanged messages, so that these aren't rendered again. */
function reuseUnchanged(known: readonly MessageData[], messages: readonly MessageData[]): MessageData[] {
  const byTs = new Map(known.map((message) => [message.ts, message]));
  return messages.map((message) => {
    const before = byTs.get(message.ts);
    return before && JSON.stringify(before) === JSON.stringify(message) ? before : message;
  });
}
