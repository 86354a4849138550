import type { ChannelSeed } from './seed.ts';
import type { Workspace } from './workspace.ts';

/** A conversation: a public channel, or a person's direct messages with the app. */
export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: 'public' | 'im';
  readonly members: Set<string>;
  readonly isGeneral: boolean;
  /** Other organisations that share it. */
  readonly sharedWith: readonly string[];
  readonly createdMs: number;
  archived: boolean;
}

/** Builds a public channel from its seed. */
export function publicChannel(seed: ChannelSeed, createdMs: number): Channel {
  return {
    id: seed.id,
    name: seed.name,
    kind: 'public',
    members: new Set(seed.members),
    isGeneral: seed.isGeneral ?? false,
    sharedWith: seed.sharedWith ?? [],
    createdMs,
    archived: false,
  };
}

/** Finds or opens a person's direct messages with the app: those of `U0ALICE` are `D0ALICE`. */
export function directMessages(workspace: Workspace, userId: string, createdMs: number): Channel {
  const id = directMessagesId(userId);
  const known = workspace.channels.get(id);
  if (known) return known;
  const channel: Channel = {
    id,
    name: 'directmessage',
    kind: 'im',
    members: new Set([userId, workspace.bot.userId]),
    isGeneral: false,
    sharedWith: [],
    createdMs,
    archived: false,
  };
  workspace.channels.set(id, channel);
  return channel;
}

/** Tells the id of a person's direct messages with the app. */
function directMessagesId(userId: string): string {
  return `D${userId.slice(1)}`;
}

/** Finds a channel by its id or, as Slack does for public ones, by its name with or without `#`. */
export function findChannel(workspace: Workspace, reference: string): Channel | undefined {
  const name = reference.replace(/^#/, '');
  return (
    workspace.channels.get(reference) ??
    [...workspace.channels.values()].find((channel) => channel.kind === 'public' && channel.name === name)
  );
}

/** Tells whether somebody may read a channel: its members, and for a public one everybody but guests and strangers. */
export function mayRead(workspace: Workspace, channel: Channel, userId: string): boolean {
  if (channel.members.has(userId)) return true;
  const role = workspace.people.get(userId)?.role;
  return channel.kind === 'public' && (role === 'owner' || role === 'member');
}
