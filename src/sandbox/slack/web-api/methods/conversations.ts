import { z } from 'zod';
import type { Core } from '../../core.ts';
import type { Channel } from '../../world/channels.ts';
import type { Workspace } from '../../world/workspace.ts';
import { flag, paging, reference } from '../arguments.ts';
import { channelFacts, missingScope, requireChannelScope } from '../channel-facts.ts';
import { channelById, openDirectMessages } from '../destination.ts';
import { defineMethod } from '../method.ts';
import { pageOf } from '../pages.ts';
import { SlackError } from '../slack-error.ts';

const scopeOfType: ReadonlyMap<string, string> = new Map([
  ['public_channel', 'channels:read'],
  ['private_channel', 'groups:read'],
  ['mpim', 'mpim:read'],
  ['im', 'im:read'],
]);
const scopes = [...scopeOfType.values()];

const listing = {
  ...paging,
  types: z.string().optional(),
  exclude_archived: flag.optional(),
};

export const conversationsOpen = defineMethod({
  name: 'conversations.open',
  tier: 3,
  scopes: ['im:write', 'mpim:write'],
  args: z.object({ channel: reference.nullish(), users: reference.optional(), return_im: flag.optional() }),
  run({ channel: id, users, return_im }, core, workspace) {
    const channel = id ? channelById(workspace, id) : directMessagesOf(users, core, workspace);
    if (channel.kind !== 'im') throw new SlackError('method_not_supported_for_channel_type');
    return { channel: return_im ? channelFacts(workspace, channel) : { id: channel.id } };
  },
});

export const conversationsInfo = defineMethod({
  name: 'conversations.info',
  tier: 3,
  scopes,
  acceptsJson: false,
  args: z.object({ channel: reference, include_num_members: flag.optional() }),
  run({ channel: id, include_num_members }, core, workspace) {
    const channel = channelById(workspace, id);
    requireChannelScope(core.manifest, channel, 'read');
    const facts = channelFacts(workspace, channel);
    return { channel: { ...facts, ...(include_num_members && { num_members: channel.members.size }) } };
  },
});

export const conversationsList = defineMethod({
  name: 'conversations.list',
  tier: 2,
  scopes,
  acceptsJson: false,
  args: z.object(listing),
  run(args, core, workspace) {
    const channels = channelsOfTypes(core, workspace, args);
    const { items, response_metadata } = pageOf(channels, args, 100);
    const facts = items.map((channel) => ({
      ...channelFacts(workspace, channel),
      ...(channel.kind === 'public' && { num_members: channel.members.size }),
    }));
    return { channels: facts, response_metadata };
  },
});

export const usersConversations = defineMethod({
  name: 'users.conversations',
  tier: 3,
  scopes,
  acceptsJson: false,
  args: z.object({ ...listing, user: reference.optional() }),
  run(args, core, workspace) {
    const member = args.user ?? workspace.bot.userId;
    if (!workspace.people.has(member)) throw new SlackError('user_not_found');
    const channels = channelsOfTypes(core, workspace, args).filter(({ members }) => members.has(member));
    const { items, response_metadata } = pageOf(channels, args, 100);
    return { channels: items.map((channel) => channelFacts(workspace, channel)), response_metadata };
  },
});

export const conversationsMembers = defineMethod({
  name: 'conversations.members',
  tier: 4,
  scopes,
  acceptsJson: false,
  args: z.object({ ...paging, channel: reference }),
  run(args, core, workspace) {
    const channel = channelById(workspace, args.channel);
    requireChannelScope(core.manifest, channel, 'read');
    const { items, response_metadata } = pageOf([...channel.members], args, 100);
    return { members: items, response_metadata };
  },
});

export const conversationsJoin = defineMethod({
  name: 'conversations.join',
  tier: 3,
  scopes: ['channels:join'],
  args: z.object({ channel: reference }),
  run({ channel: id }, core, workspace) {
    const channel = channelById(workspace, id);
    if (channel.kind !== 'public') throw new SlackError('method_not_supported_for_channel_type');
    if (channel.archived) throw new SlackError('is_archived');
    const isMember = channel.members.has(workspace.bot.userId);
    channel.members.add(workspace.bot.userId);
    core.changes.publish({ kind: 'channel', team: workspace.team.id, channel: id });
    const warning = {
      warning: 'already_in_channel',
      response_metadata: { warnings: ['already_in_channel'] },
    };
    return { channel: channelFacts(workspace, channel), ...(isMember && warning) };
  },
});

function directMessagesOf(users: string | undefined, core: Core, workspace: Workspace): Channel {
  if (!users) throw new SlackError('users_list_not_supplied');
  const [user = '', ...others] = users.split(',').map((id) => id.trim());
  if (!workspace.people.has(user)) throw new SlackError('user_not_found');
  // Group direct messages are not covered: see the README.
  if (others.length > 0) throw new SlackError('method_not_supported_for_channel_type');
  return openDirectMessages(core, workspace, user);
}

function channelsOfTypes(
  { manifest }: Core,
  workspace: Workspace,
  {
    types = 'public_channel',
    exclude_archived,
  }: { types?: string | undefined; exclude_archived?: boolean | undefined },
): Channel[] {
  const wanted = types.split(',').map((type) => type.trim());
  const needed = wanted.map((type) => scopeOfType.get(type));
  if (!needed.every((scope) => scope !== undefined)) throw new SlackError('invalid_types');
  const lacking = needed.filter((scope) => !manifest.scopes.has(scope));
  if (lacking.length > 0) throw missingScope(manifest, lacking);
  return [...workspace.channels.values()].filter(
    ({ kind, archived }) =>
      wanted.includes(kind === 'im' ? 'im' : 'public_channel') && !(exclude_archived && archived),
  );
}
