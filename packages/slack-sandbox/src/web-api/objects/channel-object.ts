import type { JsonObject } from '../../json.ts';
import type { AppManifest } from '../../manifest.ts';
import type { Channel, ChannelText } from '../../workspace/channels/channels.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { SlackError } from '../slack-error.ts';

/** Describes a conversation like `conversations.info` does. */
export function toChannelObject(workspace: Workspace, channel: Channel): JsonObject {
  const { id, kind, members, createdMs, isArchived, topic, purpose } = channel;
  const created = Math.floor(createdMs / 1000);
  const common = {
    id,
    created,
    is_archived: isArchived,
    is_org_shared: false,
    context_team_id: workspace.team.id,
  };
  if (kind === 'im') {
    const user = [...members].find((member) => member !== workspace.caller.userId);
    return { ...common, is_im: true, user, is_user_deleted: false, priority: 0 };
  }
  const isShared = channel.sharedWith.length > 0;
  return {
    ...common,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: kind === 'public',
    is_group: kind === 'private',
    is_im: false,
    is_mpim: kind === 'mpim',
    is_private: kind !== 'public',
    is_general: channel.isGeneral,
    is_shared: isShared,
    is_ext_shared: isShared,
    is_pending_ext_shared: false,
    is_member: members.has(workspace.caller.userId),
    creator: channel.creator,
    unlinked: 0,
    updated: createdMs,
    topic: toTextObject(topic),
    purpose: toTextObject(purpose),
    previous_names: channel.previousNames,
    shared_team_ids: [workspace.team.id, ...channel.sharedWith],
    pending_shared: [],
    pending_connected_team_ids: [],
  };
}

function toTextObject({ value, creator, lastSetSeconds }: ChannelText): JsonObject {
  return { value, creator, last_set: lastSetSeconds };
}

/** The part of a scope that names a kind of conversation. */
export const scopePrefixes = { public: 'channels', private: 'groups', im: 'im', mpim: 'mpim' } as const;

/**
 * Throws `missing_scope` unless the app has the `read` or `history` scope for this kind of
 * conversation.
 */
export function assertChannelScope(
  manifest: AppManifest,
  channel: Channel,
  access: 'read' | 'history',
): void {
  const scope = `${scopePrefixes[channel.kind]}:${access}`;
  if (!manifest.scopes.has(scope)) throw missingScopeError(manifest, [scope]);
}

/** Returns the error for a missing scope. Any one of `needed` would have been enough. */
export function missingScopeError(manifest: AppManifest, needed: readonly string[]): SlackError {
  return new SlackError('missing_scope', {
    needed: needed.join(','),
    provided: [...manifest.scopes].join(','),
  });
}
