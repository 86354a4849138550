import type { Control } from './control.ts';
import { createStore, type Store } from './store.ts';
import type { Change, MessageFacts } from './wire.ts';

/** How many messages are read at first, and with each step back. */
const pageSize = 100;
/** So many are shown at the end before those further back are forgotten. */
export const mostAtEnd = 3 * pageSize;
/** More changes than this at once are read as the whole. */
const mostNamed = 50;

/** What a person sees of a conversation, or of one thread in it, oldest first. */
export interface Timeline {
  readonly messages: readonly MessageFacts[];
  readonly hasEarlier: boolean;
  readonly isLoaded: boolean;
  /** Why nothing can be shown, in the sandbox's words. */
  readonly failure?: string;
}

export interface TimelineSource {
  readonly state: Store<Timeline>;
  /** Reads, and keeps up with changes until the answer is called. */
  start(): () => void;
  /** Reads the messages before the oldest known. */
  earlier(): Promise<void>;
  /** Reads back as far as a `ts`. */
  reach(ts: string): Promise<void>;
  /** Forgets what stands further back, so that the page stays light. */
  trim(): void;
}

interface Options {
  readonly control: Control;
  readonly user: string;
  readonly channel: string;
  /** Only this thread: its parent and the replies. */
  readonly thread?: string | undefined;
  /** Whether the page was reloaded, at which Slack's clients lose what only one person saw. */
  readonly isReloaded?: boolean;
}

/**
 * Reads messages by `GET /sandbox/messages` with `limit` (the newest so many), `before` (older than this `ts`), `only`
 * (these `ts`, by commas: those which are missing from the answer are gone) and `thread` (this parent and its replies).
 */
export function createTimeline({ control, user, channel, thread, isReloaded }: Options): TimelineSource {
  const state = createStore<Timeline>({ messages: [], hasEarlier: false, isLoaded: false });
  const changed = new Set<string>();
  let shownCount = pageSize;
  let isReading = false;
  let isStale = false;
  let isForgetful = isReloaded === true;

  async function read(query: Record<string, string>): Promise<MessageFacts[]> {
    const { messages } = await control.get<{ messages: MessageFacts[] }>('messages', {
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
    state.set({ messages: keepKnown(state.get().messages, messages), hasEarlier, isLoaded: true });
  }

  async function readChanged() {
    const asked = [...changed];
    changed.clear();
    const answer = await read({ only: asked.join(',') });
    const { messages: known, hasEarlier } = state.get();
    const oldest = known[0]?.ts;
    // One from further back than is shown comes when somebody looks there.
    const found = answer.filter(({ ts }) => !hasEarlier || oldest === undefined || later(ts, oldest) >= 0);
    const rest = known.filter(({ ts }) => !asked.includes(ts));
    const messages = [...rest, ...found].sort((a, b) => later(a.ts, b.ts));
    state.set({ ...state.get(), messages: keepKnown(known, messages) });
  }

  /** Reads what has to be read, one thing at a time. */
  async function refresh() {
    if (isReading) return;
    isReading = true;
    try {
      while (isStale || changed.size > 0) {
        if (isStale || changed.size > mostNamed) {
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

  function hear(change: Change) {
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

  async function earlier() {
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
      const stop = control.follow(hear);
      isStale = true;
      void refresh();
      return stop;
    },
    earlier,
    async reach(ts) {
      const isFurtherBack = () => state.get().hasEarlier && later(ts, state.get().messages[0]?.ts ?? ts) < 0;
      while (isFurtherBack()) await earlier();
    },
    trim() {
      const { messages } = state.get();
      if (thread !== undefined) return;
      shownCount = pageSize;
      state.set({ ...state.get(), messages: messages.slice(-pageSize), hasEarlier: true });
    },
  };
}

/** Tells which of two `ts` is later: above 0 where it is the first. */
function later(a: string, b: string): number {
  return Number(a) - Number(b);
}

/** Keeps the very objects of what did not change, so that it is not drawn again. */
function keepKnown(known: readonly MessageFacts[], messages: readonly MessageFacts[]): MessageFacts[] {
  const byTs = new Map(known.map((message) => [message.ts, message]));
  return messages.map((message) => {
    const before = byTs.get(message.ts);
    return before && JSON.stringify(before) === JSON.stringify(message) ? before : message;
  });
}
