import { createSlackId } from '../../world/slack-ids.ts';
import type { Workspace } from '../workspace.ts';
import { type Channel, createChannel, isNamedChannel } from './channels.ts';

/**
 * Returns a person's direct messages with the app. Creates them if they don't exist. For `U0ALICE`,
 * their ID is `D0ALICE`.
 */
export function findOrCreateDirectMessage(workspace: Workspace, userId: string, createdMs: number): Channel {
  const id = directMessageId(workspace, userId);
  const known = workspace.channels.get(id);
  if (known) return known;
  const members = [userId, workspace.bot.userId];
  const channel = createChannel({ id, name: 'directmessage', kind: 'im', members, createdMs });
  workspace.channels.set(id, channel);
  return channel;
}

/** Returns the direct messages of two people. Creates them if they don't exist. */
export function findOrCreatePrivateConversation(
  workspace: Workspace,
  members: readonly [string, string],
  createdMs: number,
): Channel {
  const id = createSlackId('D', ...members.toSorted());
  const known = workspace.channels.get(id);
  if (known) return known;
  const channel = createChannel({ id, name: 'directmessage', kind: 'im', members, createdMs });
  workspace.channels.set(id, channel);
  return channel;
}

/** Returns the direct messages of the app with several people. Creates them if they don't exist. */
export function findOrCreateGroupMessage(
  workspace: Workspace,
  userIds: readonly string[],
  newId: string,
  createdMs: number,
): Channel {
  const members = [workspace.caller.userId, ...userIds];
  const known = [...workspace.channels.values()].find(
    (channel) =>
      channel.kind === 'mpim' &&
      channel.members.size === members.length &&
      members.every((member) => channel.members.has(member)),
  );
  if (known) return known;
  const names = members.map((id) => workspace.people.get(id)?.name ?? id).sort();
  const name = `mpdm-${names.join('--')}-1`;
  const channel = createChannel({ id: newId, name, kind: 'mpim', members, createdMs });
  workspace.channels.set(newId, channel);
  return channel;
}

/** Returns the ID of a person's direct messages with the app. With other apps, it ends with the app's number. */
function directMessageId({ app }: Workspace, userId: string): string {
  return `D${userId.slice(1)}${app.number === 1 ? '' : app.number}`;
}

/**
 * Returns a channel by its ID. Like in Slack, a public or private channel is also found by its name,
 * with or without `#`.
 */
export function findChannel(workspace: Workspace, reference: string): Channel | undefined {
  const name = reference.replace(/^#/, '');
  return (
    workspace.channels.get(reference) ??
    [...workspace.channels.values()].find((channel) => isNamedChannel(channel) && channel.name === name)
  );
}

/**
 * Returns whether a person can read a channel. Members can. If the channel is public, so can
 * everyone except guests and external people.
 */
export function canRead(workspace: Workspace, channel: Channel, userId: string): boolean {
  if (channel.members.has(userId)) return true;
  const role = workspace.people.get(userId)?.role;
  return channel.kind === 'public' && (role === 'owner' || role === 'member');
}
