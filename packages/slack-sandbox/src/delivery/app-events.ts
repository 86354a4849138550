import type { Change } from '../change-feed.ts';
import type { Core } from '../core.ts';
import type { JsonObject } from '../json.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { StoredFile } from '../workspace/files/file-store.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { announceEvent } from './announce-event.ts';
import type { AppEvent } from './event-dispatcher.ts';

const subscriptions = {
  public: 'message.channels',
  private: 'message.groups',
  im: 'message.im',
  mpim: 'message.mpim',
} as const;
const channelTypes = { public: 'channel', private: 'group', im: 'im', mpim: 'mpim' } as const;

/** Sends the app a `message` event for each message that is posted, edited or deleted in its channels. */
export function forwardMessageEvents(core: Core): void {
  core.changes.subscribe((change) => {
    const event = toMessageEvent(core, change);
    const workspace = core.findWorkspace(change.team);
    const channel = 'channel' in change ? workspace?.channels.get(change.channel) : undefined;
    if (!event || !workspace || !channel) return;
    const message: AppEvent = {
      event: { type: 'message', ...event, channel: channel.id, channel_type: channelTypes[channel.kind] },
      subscription: subscriptions[channel.kind],
      channel,
    };
    core.events.announce(workspace, message, 'members');
    const isAppHome = channel.kind === 'im' && channel.members.has(workspace.bot.userId);
    if (isAppHome && change.kind === 'message_posted' && change.message.bot_id === undefined) {
      void core.events.send(workspace, {
        event: { ...message.event, channel_type: 'app_home' },
        subscription: 'message.app_home',
        channel,
      });
    }
  });
}

/** Tells the apps when a file is no longer in a channel, because its message was deleted. */
export function forwardUnsharedFiles(core: Core): void {
  core.changes.subscribe((change) => {
    if (change.kind !== 'message_deleted' || change.user !== undefined) return;
    const workspace = core.findWorkspace(change.team);
    const channel = workspace?.channels.get(change.channel);
    if (!workspace || !channel) return;
    for (const { id } of change.previous.files ?? []) {
      const file = workspace.files.findById(String(id));
      if (!file || file.isDeleted) continue;
      file.shares = file.shares.filter(({ ts }) => ts !== change.previous.ts);
      sendFileEvent(core, workspace, file, 'file_unshared', channel);
    }
  });
}

/** Returns the letter with which events about members name the kind of a channel. */
export function channelTypeOf({ kind }: Channel): 'C' | 'G' {
  return kind === 'public' ? 'C' : 'G';
}

/** Notifies the app that someone joined one of its channels. This can be the app itself. */
export function sendMemberJoined(
  core: Core,
  workspace: Workspace,
  channel: Channel,
  user: string,
  inviter: string | undefined,
): void {
  announceEvent(core, workspace, {
    event: {
      type: 'member_joined_channel',
      user,
      channel: channel.id,
      channel_type: channelTypeOf(channel),
      team: workspace.people.get(user)?.teamId ?? workspace.team.id,
      ...(inviter !== undefined && { inviter }),
      event_ts: core.ids.ts(),
    },
    channel,
  });
}

/** Notifies the app of what happened to a file. For a share, `channel` is where it was shared. */
export function sendFileEvent(
  core: Core,
  workspace: Workspace,
  { id, user }: StoredFile,
  type: 'file_created' | 'file_shared' | 'file_deleted' | 'file_change' | 'file_public' | 'file_unshared',
  channel?: Channel,
): void {
  announceEvent(core, workspace, {
    event: {
      type,
      file_id: id,
      user_id: user,
      ...(type !== 'file_deleted' && { file: { id } }),
      ...(channel && { channel_id: channel.id }),
      event_ts: core.ids.ts(),
    },
    ...(channel && { channel }),
  });
}

/** Notifies the app that its tokens were revoked: those of its bot user, or those of people. */
export function sendTokensRevoked(
  core: Core,
  workspace: Workspace,
  tokens: { readonly oauth: readonly string[]; readonly bot: readonly string[] } = {
    oauth: [],
    bot: [workspace.bot.userId],
  },
): void {
  void core.events.send(workspace, {
    event: {
      type: 'tokens_revoked',
      tokens,
      event_ts: core.ids.ts(),
    },
  });
}

function toMessageEvent({ ids }: Core, change: Change): JsonObject | undefined {
  if (!('channel' in change) || change.kind === 'channel' || change.user !== undefined) return undefined;
  if (change.kind === 'message_changed' && change.isDecoration) return undefined;
  if (change.kind === 'message_posted') return { ...change.message, event_ts: change.message.ts };
  const ts = ids.ts();
  const common = { hidden: true, previous_message: change.previous, ts, event_ts: ts };
  return change.kind === 'message_changed'
    ? { ...common, subtype: 'message_changed', message: change.message }
    : { ...common, subtype: 'message_deleted', deleted_ts: change.previous.ts };
}
