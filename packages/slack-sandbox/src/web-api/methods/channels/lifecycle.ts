import { z } from 'zod';
import {
  postChannelNote,
  publishChannelChange,
  sendChannelEvent,
  setArchived,
} from '../../../acts/change-channel.ts';
import type { Core } from '../../../core.ts';
import { type Channel, createChannel, isNamedChannel } from '../../../workspace/channels/channels.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { flag, nonEmptyString } from '../../arguments.ts';
import { assertMember, resolveChannelById } from '../../destination.ts';
import { defineMethod } from '../../method.ts';
import { missingScopeError, toChannelObject } from '../../objects/channel-object.ts';
import { SlackError } from '../../slack-error.ts';

const maxNameChars = 80;
const maxTextChars = 250;

/** The scope with which an app manages each kind of channel. */
const manageScopes = { public: 'channels:manage', private: 'groups:write' } as const;
const manageScopeList = Object.values(manageScopes);

export const conversationsCreate = defineMethod({
  name: 'conversations.create',
  tier: 2,
  scopes: manageScopeList,
  args: () => z.object({ name: z.string().default(''), is_private: flag.optional() }),
  run({ name, is_private }, core, workspace) {
    const kind = is_private ? 'private' : 'public';
    const scope = manageScopes[kind];
    if (!core.manifest.scopes.has(scope)) throw missingScopeError(core.manifest, [scope]);
    assertFreeName(workspace, name);
    const id = core.ids.id('C');
    const members = [workspace.caller.userId];
    const channel = createChannel({ id, name, kind, members, createdMs: core.clock.now() });
    workspace.channels.set(id, channel);
    const creator = workspace.caller.userId;
    const created = Math.floor(channel.createdMs / 1000);
    if (kind === 'public') {
      const facts = { id, name, is_channel: true, created, creator, context_team_id: workspace.team.id };
      sendChannelEvent(core, workspace, channel, { type: 'channel_created', channel: facts });
    }
    publishChannelChange(core, workspace, channel);
    return { channel: toChannelObject(workspace, channel) };
  },
});

export const conversationsRename = defineMethod({
  name: 'conversations.rename',
  tier: 2,
  scopes: manageScopeList,
  args: () => z.object({ channel: nonEmptyString, name: z.string().default('') }),
  run({ channel: id, name }, core, workspace) {
    const channel = resolveManagedChannel(core, workspace, id);
    if (channel.creator !== workspace.caller.userId) throw new SlackError('not_authorized');
    if (channel.name !== name) renameChannel(core, workspace, channel, name);
    return { channel: toChannelObject(workspace, channel) };
  },
});

function renameChannel(core: Core, workspace: Workspace, channel: Channel, name: string): void {
  assertFreeName(workspace, name);
  const oldName = channel.name;
  channel.previousNames.unshift(oldName);
  channel.name = name;
  const kind = channel.kind === 'private' ? 'group' : 'channel';
  postChannelNote(workspace, channel, workspace.caller.userId, {
    subtype: `${kind}_name`,
    text: `has renamed the channel from "${oldName}" to "${name}"`,
    old_name: oldName,
    name,
  });
  const created = Math.floor(channel.createdMs / 1000);
  const facts = { id: channel.id, name, created, is_channel: kind === 'channel', is_mpim: false };
  sendChannelEvent(core, workspace, channel, { type: `${kind}_rename`, channel: facts });
  publishChannelChange(core, workspace, channel);
}

export const conversationsArchive = defineMethod({
  name: 'conversations.archive',
  tier: 2,
  scopes: manageScopeList,
  args: () => z.object({ channel: nonEmptyString }),
  run({ channel: id }, core, workspace) {
    const channel = resolveChannelById(workspace, id);
    if (channel.isArchived) throw new SlackError('already_archived');
    resolveManagedChannel(core, workspace, id);
    if (channel.isGeneral) throw new SlackError('cant_archive_general');
    setArchived(core, workspace, channel, workspace.caller.userId, true);
    return {};
  },
});

export const conversationsUnarchive = defineMethod({
  name: 'conversations.unarchive',
  tier: 2,
  scopes: manageScopeList,
  args: () => z.object({ channel: nonEmptyString }),
  run({ channel: id }, core, workspace) {
    const channel = resolveChannelById(workspace, id);
    if (!isNamedChannel(channel)) throw new SlackError('method_not_supported_for_channel_type');
    assertMember(workspace, channel);
    if (!channel.isArchived) throw new SlackError('not_archived');
    setArchived(core, workspace, channel, workspace.caller.userId, false);
    return {};
  },
});

export const conversationsSetTopic = defineMethod({
  name: 'conversations.setTopic',
  tier: 2,
  scopes: [
    ...manageScopeList,
    'channels:write.topic',
    'groups:write.topic',
    'mpim:write.topic',
    'im:write.topic',
  ],
  args: () => z.object({ channel: nonEmptyString, topic: z.string() }),
  run({ channel: id, topic }, core, workspace) {
    const channel = resolveChannelById(workspace, id);
    setChannelText(core, workspace, channel, 'topic', topic);
    return { channel: toChannelObject(workspace, channel) };
  },
});

export const conversationsSetPurpose = defineMethod({
  name: 'conversations.setPurpose',
  tier: 2,
  scopes: [
    ...manageScopeList,
    'channels:write.topic',
    'groups:write.topic',
    'mpim:write.topic',
    'im:write.topic',
  ],
  args: () => z.object({ channel: nonEmptyString, purpose: z.string() }),
  run({ channel: id, purpose }, core, workspace) {
    const channel = resolveChannelById(workspace, id);
    setChannelText(core, workspace, channel, 'purpose', purpose);
    return { channel: toChannelObject(workspace, channel) };
  },
});

function setChannelText(
  core: Core,
  workspace: Workspace,
  channel: Channel,
  field: 'topic' | 'purpose',
  value: string,
): void {
  if (channel.kind === 'im') throw new SlackError('method_not_supported_for_channel_type');
  assertMember(workspace, channel);
  if (channel.isArchived) throw new SlackError('is_archived');
  if (value.length > maxTextChars) throw new SlackError('too_long');
  const creator = workspace.caller.userId;
  channel[field] = { value, creator, lastSetSeconds: Math.floor(core.clock.now() / 1000) };
  const kind = channel.kind === 'private' ? 'group' : 'channel';
  postChannelNote(workspace, channel, creator, {
    subtype: `${kind}_${field}`,
    text: `set the channel ${field === 'topic' ? 'topic' : 'description'}: ${value}`,
    [field]: value,
  });
  publishChannelChange(core, workspace, channel);
}

/** Returns a channel that the app can manage: it is a member, and has the scope for its kind. */
function resolveManagedChannel(core: Core, workspace: Workspace, id: string): Channel {
  const channel = resolveChannelById(workspace, id);
  if (channel.kind === 'im' || channel.kind === 'mpim') {
    throw new SlackError('method_not_supported_for_channel_type');
  }
  const scope = manageScopes[channel.kind];
  if (!core.manifest.scopes.has(scope)) throw missingScopeError(core.manifest, [scope]);
  assertMember(workspace, channel);
  if (channel.isArchived) throw new SlackError('is_archived');
  return channel;
}

function assertFreeName({ channels }: Workspace, name: string): void {
  if (name === '') throw new SlackError('invalid_name_required');
  if (name.length > maxNameChars) throw new SlackError('invalid_name_maxlength');
  if (/^[_-]+$/.test(name)) throw new SlackError('invalid_name_punctuation');
  if (!/^[\p{Ll}\p{Lo}\p{M}\p{N}_-]+$/u.test(name)) throw new SlackError('invalid_name_specials');
  const isTaken = [...channels.values()].some((each) => isNamedChannel(each) && each.name === name);
  if (isTaken) throw new SlackError('name_taken');
}
