import { z } from 'zod';
import { addMember, postLeaveNote, removeMember } from '../../../acts/change-channel.ts';
import { announceEvent } from '../../../delivery/announce-event.ts';
import { type Channel, isNamedChannel } from '../../../workspace/channels/channels.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { flag, nonEmptyString } from '../../arguments.ts';
import { assertMember, resolveChannelById, timestamp } from '../../destination.ts';
import { defineMethod } from '../../method.ts';
import { toChannelObject } from '../../objects/channel-object.ts';
import { SlackError } from '../../slack-error.ts';

/** From docs.slack.dev/reference/methods/conversations.invite, `users`. */
const maxInvited = 1000;
const manageScopes = ['channels:manage', 'groups:write', 'im:write', 'mpim:write'];

export const conversationsInvite = defineMethod({
  name: 'conversations.invite',
  tier: 3,
  scopes: [...manageScopes, 'channels:write.invites', 'groups:write.invites', 'mpim:write.invites'],
  args: () => z.object({ channel: nonEmptyString, users: z.string().default(''), force: flag.optional() }),
  run({ channel: id, users, force }, core, workspace) {
    const channel = resolveNamedChannel(workspace, id);
    if (channel.isArchived) throw new SlackError('is_archived');
    const invited = users.split(',').flatMap((user) => user.trim() || []);
    if (invited.length === 0) throw new SlackError('no_user');
    if (invited.length > maxInvited) throw new SlackError('cant_invite');
    const errors = invited.flatMap((user) => {
      const error = findInviteError(workspace, channel, user);
      return error === undefined ? [] : [{ user, ok: false, error }];
    });
    const [first] = errors;
    const accepted = invited.filter((user) => errors.every((error) => error.user !== user));
    if (first && (!force || accepted.length === 0)) {
      throw new SlackError(first.error, { errors });
    }
    for (const user of accepted) addMember(core, workspace, channel, user, workspace.caller.userId);
    return { channel: toChannelObject(workspace, channel), ...(first && { errors }) };
  },
});

function findInviteError({ caller, people }: Workspace, channel: Channel, user: string): string | undefined {
  if (user === caller.userId) return 'cant_invite_self';
  if (!people.has(user)) return 'user_not_found';
  return channel.members.has(user) ? 'already_in_channel' : undefined;
}

export const conversationsKick = defineMethod({
  name: 'conversations.kick',
  tier: 3,
  scopes: manageScopes,
  args: () => z.object({ channel: nonEmptyString, user: nonEmptyString }),
  run({ channel: id, user }, core, workspace) {
    const channel = resolveNamedChannel(workspace, id);
    if (user === workspace.caller.userId) throw new SlackError('cant_kick_self');
    if (channel.isGeneral) throw new SlackError('cant_kick_from_general');
    if (!workspace.people.has(user)) throw new SlackError('user_not_found');
    if (!channel.members.has(user)) throw new SlackError('not_in_channel');
    removeMember(core, workspace, channel, user);
    return {};
  },
});

export const conversationsLeave = defineMethod({
  name: 'conversations.leave',
  tier: 3,
  scopes: manageScopes,
  args: () => z.object({ channel: nonEmptyString }),
  run({ channel: id }, core, workspace) {
    const channel = resolveChannelById(workspace, id);
    if (channel.kind === 'im') throw new SlackError('method_not_supported_for_channel_type');
    if (!channel.members.has(workspace.caller.userId)) return { not_in_channel: true };
    if (channel.isArchived) throw new SlackError('is_archived');
    if (channel.isGeneral) throw new SlackError('cant_leave_general');
    if (channel.kind === 'private' && channel.members.size === 1) throw new SlackError('last_member');
    postLeaveNote(workspace, channel, workspace.caller.userId);
    removeMember(core, workspace, channel, workspace.caller.userId);
    return {};
  },
});

export const conversationsMark = defineMethod({
  name: 'conversations.mark',
  tier: 3,
  scopes: manageScopes,
  args: () => z.object({ channel: nonEmptyString, ts: nonEmptyString }),
  run({ channel: id, ts }, _core, workspace) {
    assertMember(workspace, resolveChannelById(workspace, id));
    if (!timestamp.test(ts)) throw new SlackError('invalid_timestamp');
    return {};
  },
});

export const conversationsClose = defineMethod({
  name: 'conversations.close',
  tier: 2,
  scopes: manageScopes,
  args: () => z.object({ channel: nonEmptyString }),
  run({ channel: id }, core, workspace) {
    const channel = resolveChannelById(workspace, id);
    if (isNamedChannel(channel)) throw new SlackError('method_not_supported_for_channel_type');
    if (channel.kind === 'im') {
      const user = [...channel.members].find((member) => member !== workspace.caller.userId) ?? '';
      announceEvent(core, workspace, {
        event: { type: 'im_close', user, channel: id, event_ts: core.ids.ts() },
        channel,
      });
    }
    return {};
  },
});

function resolveNamedChannel(workspace: Workspace, id: string): Channel {
  const channel = resolveChannelById(workspace, id);
  if (!isNamedChannel(channel)) throw new SlackError('method_not_supported_for_channel_type');
  assertMember(workspace, channel);
  return channel;
}
