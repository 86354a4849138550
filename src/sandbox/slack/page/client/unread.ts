import type { Control } from './control.ts';
import { directMessagesOf, humansOf } from './names.ts';
import { createStore, type Store } from './store.ts';
import type { Change, MessageFacts, WorkspaceFacts } from './wire.ts';

/** More changes than this at once are read as "the newest so many". */
const mostNamed = 50;

/** Which conversations hold something new, for everybody on the page: people are switched between. */
export interface Unread {
  /** Number of pings by `unreadKey`; 0 where there is something new that pings nobody. */
  readonly marks: Store<Readonly<Record<string, number>>>;
  /** Says what is looked at: nothing there is new any more. */
  look(user: string, channel: string): void;
  start(): () => void;
}

export function unreadKey(user: string, channel: string): string {
  return `${user} ${channel}`;
}

export function createUnread(control: Control, facts: () => WorkspaceFacts | undefined): Unread {
  const marks = createStore<Readonly<Record<string, number>>>({});
  const seen = new Set<string>();
  const waiting = new Map<string, Set<string>>();
  let looked = '';
  let isReading = false;

  function viewersOf(workspace: WorkspaceFacts, channel: string): string[] {
    const humans = humansOf(workspace).map(({ id }) => id);
    const members = workspace.channels.find(({ id }) => id === channel)?.members;
    return humans.filter((id) => (members ? members.includes(id) : directMessagesOf(id) === channel));
  }

  function isNew({ ts, thread_ts: parent, edited, subtype }: MessageFacts): boolean {
    const isReply = parent !== undefined && parent !== ts && subtype !== 'thread_broadcast';
    return !seen.has(ts) && !edited && !isReply && subtype !== 'tombstone';
  }

  async function read(workspace: WorkspaceFacts, channel: string, changed: ReadonlySet<string>) {
    const viewers = viewersOf(workspace, channel);
    const [user] = viewers;
    if (user === undefined) return;
    const which: Record<string, string> =
      changed.size > mostNamed ? { limit: String(mostNamed) } : { only: [...changed].join(',') };
    const { messages } = await control.get<{ messages: MessageFacts[] }>('messages', {
      channel,
      user,
      ...which,
    });
    const fresh = messages.filter((message) => changed.has(message.ts) && isNew(message));
    for (const viewer of viewers) mark(workspace, viewer, channel, fresh);
    for (const ts of changed) seen.add(ts);
  }

  function mark(workspace: WorkspaceFacts, viewer: string, channel: string, fresh: readonly MessageFacts[]) {
    const key = unreadKey(viewer, channel);
    const others = fresh.filter(({ user }) => user !== viewer);
    if (others.length === 0 || key === looked) return;
    const calling = others.filter((message) => channel.startsWith('D') || pings(workspace, message, viewer));
    marks.set({ ...marks.get(), [key]: (marks.get()[key] ?? 0) + calling.length });
  }

  async function readAll() {
    if (isReading) return;
    isReading = true;
    try {
      while (waiting.size > 0) {
        const all = [...waiting];
        waiting.clear();
        for (const [channel, changed] of all) {
          const workspace = facts();
          // Marks are a comfort: one that is missed because the sandbox is away is no harm.
          if (workspace) await read(workspace, channel, changed).catch(() => {});
        }
      }
    } finally {
      isReading = false;
    }
  }

  function hear({ kind, channel, ts, user }: Change) {
    if (kind === 'reset') marks.set({});
    if (kind !== 'message' || channel === undefined || ts === undefined || user !== undefined) return;
    waiting.set(channel, (waiting.get(channel) ?? new Set()).add(ts));
    void readAll();
  }

  return {
    marks,
    look(user, channel) {
      looked = unreadKey(user, channel);
      const { [looked]: before, ...rest } = marks.get();
      if (before !== undefined) marks.set(rest);
    },
    start: () => control.follow(hear),
  };
}

/** Tells whether a message calls somebody: by name, by a group of theirs, or as one of all. */
export function pings({ groups }: WorkspaceFacts, message: MessageFacts, user: string): boolean {
  if (message.user === user) return false;
  const isTheirs = (id: string) =>
    id === user || groups.some((group) => group.id === id && group.users.includes(user));
  return message.pings.some((ping) => ['channel', 'here', 'everyone'].includes(ping) || isTheirs(ping));
}
