import { appPlacesOf } from './app-places.ts';
import type { MessageData, SandboxEvent, WorkspaceData } from './control-api.ts';
import type { ControlClient } from './control-client.ts';
import { listHumans } from './display-names.ts';
import { createStore, type Store } from './store.ts';

/** If more messages have changed, the newest messages are loaded instead. */
const maxChangesPerRead = 50;

/** Tracks unread conversations for each person, because the page can switch to another person. */
export interface UnreadStore {
  /** Number of mentions by `unreadKey`. 0 means that something is unread, but doesn't mention the person. */
  readonly counts: Store<Readonly<Record<string, number>>>;
  /** Marks a conversation as read. */
  markRead(user: string, channel: string): void;
  start(): () => void;
}

export function unreadKey(user: string, channel: string): string {
  return `${user} ${channel}`;
}

export function createUnreadStore(
  control: ControlClient,
  getWorkspace: () => WorkspaceData | undefined,
): UnreadStore {
  const counts = createStore<Readonly<Record<string, number>>>({});
  const seen = new Set<string>();
  const waiting = new Map<string, Set<string>>();
  let openKey = '';
  let isReading = false;

  function viewersOf(workspace: WorkspaceData, channel: string): string[] {
    const humans = listHumans(workspace).map(({ id }) => id);
    const members = workspace.channels.find(({ id }) => id === channel)?.members;
    const isOwn = (id: string) => workspace.apps.some((app) => appPlacesOf(app, id).channel === channel);
    return humans.filter((id) => members?.includes(id) ?? isOwn(id));
  }

  function isNew({ ts, thread_ts: parent, edited, subtype }: MessageData): boolean {
    const isReply = parent !== undefined && parent !== ts && subtype !== 'thread_broadcast';
    return !seen.has(ts) && !edited && !isReply && subtype !== 'tombstone';
  }

  async function read(workspace: WorkspaceData, channel: string, changed: ReadonlySet<string>) {
    const viewers = viewersOf(workspace, channel);
    const [user] = viewers;
    if (user === undefined) return;
    const which: Record<string, string> =
      changed.size > maxChangesPerRead
        ? { limit: String(maxChangesPerRead) }
        : { only: [...changed].join(',') };
    const { messages } = await control.get<{ messages: MessageData[] }>('messages', {
      channel,
      user,
      ...which,
    });
    const fresh = messages.filter((message) => changed.has(message.ts) && isNew(message));
    for (const viewer of viewers) mark(workspace, viewer, channel, fresh);
    for (const ts of changed) seen.add(ts);
  }

  function mark(workspace: WorkspaceData, viewer: string, channel: string, fresh: readonly MessageData[]) {
    const key = unreadKey(viewer, channel);
    const others = fresh.filter(({ user }) => user !== viewer);
    if (others.length === 0 || key === openKey) return;
    const calling = others.filter(
      (message) => channel.startsWith('D') || mentionsUser(workspace, message, viewer),
    );
    counts.set({ ...counts.get(), [key]: (counts.get()[key] ?? 0) + calling.length });
  }

  async function readAll() {
    if (isReading) return;
    isReading = true;
    try {
      while (waiting.size > 0) {
        const all = [...waiting];
        waiting.clear();
        for (const [channel, changed] of all) {
          const workspace = getWorkspace();
          // It doesn't matter if a mark for unread messages gets lost while the sandbox is offline.
          if (workspace) await read(workspace, channel, changed).catch(() => {});
        }
      }
    } finally {
      isReading = false;
    }
  }

  function onEvent({ kind, channel, ts, user }: SandboxEvent) {
    if (kind === 'reset') counts.set({});
    if (kind !== 'message' || channel === undefined || ts === undefined || user !== undefined) return;
    waiting.set(channel, (waiting.get(channel) ?? new Set()).add(ts));
    void readAll();
  }

  return {
    counts,
    markRead(user, channel) {
      openKey = unreadKey(user, channel);
      const { [openKey]: before, ...rest } = counts.get();
      if (before !== undefined) counts.set(rest);
    },
    start: () => control.subscribe(onEvent),
  };
}

/** Returns whether a message mentions a person: directly, by a group, or by a mention of everyone. */
export function mentionsUser({ groups }: WorkspaceData, message: MessageData, user: string): boolean {
  if (message.user === user) return false;
  const isTheirs = (id: string) =>
    id === user || groups.some((group) => group.id === id && group.users.includes(user));
  return message.pings.some((ping) => ['channel', 'here', 'everyone'].includes(ping) || isTheirs(ping));
}
