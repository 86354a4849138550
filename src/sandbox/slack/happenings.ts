import type { Change } from './changes.ts';
import type { Core } from './core.ts';
import type { JsonObject } from './json.ts';
import type { Channel } from './world/channels.ts';
import type { Workspace } from './world/workspace.ts';

const subscriptions = { public: 'message.channels', im: 'message.im' } as const;
const channelTypes = { public: 'channel', im: 'im' } as const;

/** Sends the app a `message` event for whatever is posted, edited or deleted where the app is. */
export function announceMessages(core: Core): void {
  core.changes.subscribe((change) => {
    const event = messageEvent(core, change);
    const workspace = core.workspace(change.team);
    const channel = 'channel' in change ? workspace?.channels.get(change.channel) : undefined;
    if (!event || !workspace || !channel?.members.has(workspace.bot.userId)) return;
    void core.events.send(workspace, {
      event: { type: 'message', ...event, channel: channel.id, channel_type: channelTypes[channel.kind] },
      subscription: subscriptions[channel.kind],
      channel,
    });
  });
}

/** Tells the app that somebody, perhaps itself, came into a channel where it is. */
export function memberJoined(
  core: Core,
  workspace: Workspace,
  channel: Channel,
  user: string,
  inviter: string | undefined,
): void {
  if (!channel.members.has(workspace.bot.userId)) return;
  void core.events.send(workspace, {
    event: {
      type: 'member_joined_channel',
      user,
      channel: channel.id,
      channel_type: 'C',
      team: workspace.people.get(user)?.teamId ?? workspace.team.id,
      ...(inviter !== undefined && { inviter }),
      event_ts: core.mint.ts(),
    },
    channel,
  });
}

/** Tells the app that its tokens no longer work. */
export function tokensRevoked(core: Core, workspace: Workspace): void {
  void core.events.send(workspace, {
    event: {
      type: 'tokens_revoked',
      tokens: { oauth: [], bot: [workspace.bot.userId] },
      event_ts: core.mint.ts(),
    },
  });
}

function messageEvent({ mint }: Core, change: Change): JsonObject | undefined {
  if (!('channel' in change) || change.kind === 'channel' || change.user !== undefined) return undefined;
  if (change.kind === 'message_posted') return { ...change.message, event_ts: change.message.ts };
  const ts = mint.ts();
  const common = { hidden: true, previous_message: change.previous, ts, event_ts: ts };
  return change.kind === 'message_changed'
    ? { ...common, subtype: 'message_changed', message: change.message }
    : { ...common, subtype: 'message_deleted', deleted_ts: change.previous.ts };
}
