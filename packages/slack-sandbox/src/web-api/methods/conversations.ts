import { z } from 'zod';
import { addMember } from '../../acts/change-channel.ts';
import type { Core } from '../../core.ts';
import { announceEvent } from '../../delivery/announce-event.ts';
import { findOrCreateGroupMessage } from '../../workspace/channels/channel-lookup.ts';
import { type Channel, isNamedChannel } from '../../workspace/channels/channels.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { flag, nonEmptyString, paging } from '../arguments.ts';
import { isVisibleToApp, openDirectMessage, resolveChannelById } from '../destination.ts';
import { defineMethod } from '../method.ts';
import { assertChannelScope, missingScopeError, toChannelObject } from '../objects/channel-object.ts';
import { paginate } from '../pagination.ts';
import { SlackError } from '../slack-error.ts';

const scopeByType: ReadonlyMap<string, string> = new Map([
  ['public_channel', 'channels:read'],
  ['private_channel', 'groups:read'],
  ['mpim', 'mpim:read'],
  ['im', 'im:read'],
]);
const scopes = [...scopeByType.values()];
/** How many other people a group's direct messages can have, from docs.slack.dev/reference/methods/conversations.open. */
const maxGroupPeople = 8;
const listTypes = { public: 'public_channel', private: 'private_channel', mpim: 'mpim', im: 'im' } as const;

const listArguments = {
  ...paging,
  types: z.string().optional(),
  exclude_archived: flag.optional(),
};

export const conversationsOpen = defineMethod({
  name: 'conversations.open',
  tier: 3,
  scopes: ['channels:manage', 'groups:write', 'im:write', 'mpim:write'],
  args: () =>
    z.object({
      channel: nonEmptyString.nullish(),
      users: nonEmptyString.optional(),
      return_im: flag.optional(),
    }),
  run({ channel: id, users, return_im }, core, workspace) {
    const known = new Set(workspace.channels.keys());
    const channel = id ? resolveChannelById(workspace, id) : resolveDirectMessage(users, core, workspace);
    if (isNamedChannel(channel)) throw new SlackError('method_not_supported_for_channel_type');
    const isOpen = known.has(channel.id);
    if (channel.kind === 'im') announceOpened(core, workspace, channel, !isOpen);
    return {
      ...(isOpen && { no_op: true, already_open: true }),
      channel: return_im ? toChannelObject(workspace, channel) : { id: channel.id },
    };
  },
});

export const conversationsInfo = defineMethod({
  name: 'conversations.info',
  tier: 3,
  scopes,
  acceptsJson: false,
  args: () => z.object({ channel: nonEmptyString, include_num_members: flag.optional() }),
  run({ channel: id, include_num_members }, core, workspace) {
    const channel = resolveChannelById(workspace, id);
    assertChannelScope(core.manifest, channel, 'read');
    const facts = toChannelObject(workspace, channel);
    return { channel: { ...facts, ...(include_num_members && { num_members: channel.members.size }) } };
  },
});

export const conversationsList = defineMethod({
  name: 'conversations.list',
  tier: 2,
  scopes,
  acceptsJson: false,
  args: () => z.object(listArguments),
  run(args, core, workspace) {
    const channels = listChannelsByType(core, workspace, args);
    const { items, response_metadata } = paginate(channels, args, 100, 'strict');
    const facts = items.map((channel) => ({
      ...toChannelObject(workspace, channel),
      ...(channel.kind !== 'im' && { num_members: channel.members.size }),
    }));
    return { channels: facts, response_metadata };
  },
});

export const usersConversations = defineMethod({
  name: 'users.conversations',
  tier: 3,
  scopes,
  acceptsJson: false,
  args: () => z.object({ ...listArguments, user: nonEmptyString.optional() }),
  run(args, core, workspace) {
    const member = args.user ?? workspace.caller.userId;
    if (!workspace.people.has(member)) throw new SlackError('user_not_found');
    const channels = listChannelsByType(core, workspace, args).filter(({ members }) => members.has(member));
    const { items, response_metadata } = paginate(channels, args, 100, 'strict');
    return { channels: items.map((channel) => toChannelObject(workspace, channel)), response_metadata };
  },
});

export const conversationsMembers = defineMethod({
  name: 'conversations.members',
  tier: 4,
  scopes,
  acceptsJson: false,
  args: () => z.object({ ...paging, channel: nonEmptyString }),
  run(args, core, workspace) {
    const channel = resolveChannelById(workspace, args.channel);
    assertChannelScope(core.manifest, channel, 'read');
    const { items, response_metadata } = paginate([...channel.members], args, 100, 'strict');
    return { members: items, response_metadata };
  },
});

export const conversationsJoin = defineMethod({
  name: 'conversations.join',
  tier: 3,
  scopes: ['channels:join'],
  args: () => z.object({ channel: nonEmptyString }),
  run({ channel: id }, core, workspace) {
    const channel = resolveChannelById(workspace, id);
    if (channel.kind !== 'public') throw new SlackError('method_not_supported_for_channel_type');
    if (channel.isArchived) throw new SlackError('is_archived');
    const isMember = channel.members.has(workspace.caller.userId);
    if (!isMember) addMember(core, workspace, channel, workspace.caller.userId);
    const warning = {
      warning: 'already_in_channel',
      response_metadata: { warnings: ['already_in_channel'] },
    };
    return { channel: toChannelObject(workspace, channel), ...(isMember && warning) };
  },
});

/** Tells the apps in direct messages that they were opened, and before that if they are new. */
function announceOpened(core: Core, workspace: Workspace, channel: Channel, isNew: boolean): void {
  const user = [...channel.members].find((member) => member !== workspace.caller.userId) ?? '';
  if (isNew) {
    const created = { type: 'im_created', user, channel: toChannelObject(workspace, channel) } as const;
    announceEvent(core, workspace, { event: created, channel });
  }
  const opened = { type: 'im_open', user, channel: channel.id, event_ts: core.ids.ts() } as const;
  announceEvent(core, workspace, { event: opened, channel });
}

function resolveDirectMessage(users: string | undefined, core: Core, workspace: Workspace): Channel {
  if (!users) throw new SlackError('users_list_not_supplied');
  const ids = [...new Set(users.split(',').map((id) => id.trim()))].filter(
    (id) => id !== workspace.caller.userId || users === id,
  );
  if (ids.some((id) => !workspace.people.has(id))) throw new SlackError('user_not_found');
  const [user = '', ...others] = ids;
  if (others.length === 0) return openDirectMessage(core, workspace, user);
  const { manifest } = core;
  if (!manifest.scopes.has('mpim:write')) throw missingScopeError(manifest, ['mpim:write']);
  if (ids.length > maxGroupPeople) throw new SlackError('too_many_users');
  return findOrCreateGroupMessage(workspace, ids, core.ids.id('C'), core.clock.now());
}

function listChannelsByType(
  { manifest }: Core,
  workspace: Workspace,
  {
    types = 'public_channel',
    exclude_archived,
  }: { types?: string | undefined; exclude_archived?: boolean | undefined },
): Channel[] {
  const wanted = types.split(',').map((type) => type.trim());
  const needed = wanted.map((type) => scopeByType.get(type));
  if (!needed.every((scope) => scope !== undefined)) throw new SlackError('invalid_types');
  const lacking = needed.filter((scope) => !manifest.scopes.has(scope));
  if (lacking.length > 0) throw missingScopeError(manifest, lacking);
  return [...workspace.channels.values()].filter(
    (channel) =>
      wanted.includes(listTypes[channel.kind]) &&
      isVisibleToApp(workspace, channel) &&
      !(exclude_archived && channel.isArchived),
  );
}
