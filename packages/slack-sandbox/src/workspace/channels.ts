import type { ChannelSeed } from './seed.ts';

/** A conversation: a public channel, or a person's direct messages with the app. */
export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: 'public' | 'im';
  readonly members: Set<string>;
  readonly isGeneral: boolean;
  /** Other organizations that share the channel. */
  readonly sharedWith: readonly string[];
  readonly createdMs: number;
  isArchived: boolean;
}

/** Creates a public channel from its seed. */
export function createPublicChannel(seed: ChannelSeed, createdMs: number): Channel {
  return {
    id: seed.id,
    name: seed.name,
    kind: 'public',
    members: new Set(seed.members),
    isGeneral: seed.isGeneral ?? false,
    sharedWith: seed.sharedWith ?? [],
    createdMs,
    isArchived: false,
  };
}
