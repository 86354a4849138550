/** Public and private channels, direct messages, and direct messages of several people. */
export type ChannelKind = 'public' | 'private' | 'im' | 'mpim';

/** A topic or purpose, and who set it when. */
export interface ChannelText {
  readonly value: string;
  readonly creator: string;
  readonly lastSetSeconds: number;
}

/** A pinned message. */
export interface Pin {
  readonly ts: string;
  readonly createdSeconds: number;
  readonly createdBy: string;
}

export interface Bookmark {
  readonly id: string;
  title: string;
  link: string;
  emoji: string;
  readonly createdSeconds: number;
  updatedSeconds: number;
  readonly updatedBy: string;
}

/** A conversation. */
export interface Channel {
  readonly id: string;
  name: string;
  readonly kind: ChannelKind;
  readonly members: Set<string>;
  readonly isGeneral: boolean;
  /** Other organizations that share the channel. */
  sharedWith: readonly string[];
  readonly createdMs: number;
  readonly creator: string;
  topic: ChannelText;
  purpose: ChannelText;
  readonly previousNames: string[];
  /** Newest first. */
  readonly pins: Pin[];
  readonly bookmarks: Bookmark[];
  isArchived: boolean;
}

/** The required fields of a new channel. The others are empty at first. */
interface NewChannel extends Pick<Channel, 'id' | 'name' | 'kind' | 'createdMs'> {
  readonly members: Iterable<string>;
  readonly isGeneral?: boolean | undefined;
  readonly sharedWith?: readonly string[] | undefined;
  readonly creator?: string;
  readonly topic?: string | undefined;
  readonly purpose?: string | undefined;
}

export function createChannel({
  members,
  isGeneral = false,
  sharedWith = [],
  topic = '',
  purpose = '',
  ...facts
}: NewChannel): Channel {
  const all = new Set(members);
  const creator = facts.creator ?? [...all][0] ?? '';
  const text = (value: string): ChannelText =>
    value === ''
      ? { value, creator: '', lastSetSeconds: 0 }
      : { value, creator, lastSetSeconds: Math.floor(facts.createdMs / 1000) };
  return {
    ...facts,
    members: all,
    isGeneral,
    sharedWith,
    creator,
    topic: text(topic),
    purpose: text(purpose),
    previousNames: [],
    pins: [],
    bookmarks: [],
    isArchived: false,
  };
}

/** Returns whether a conversation is a channel that has a name, a topic and can be archived. */
export function isNamedChannel({ kind }: Channel): boolean {
  return kind === 'public' || kind === 'private';
}
