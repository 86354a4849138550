import type { types } from '@slack/bolt';

/** What a message says: `text` for notifications and screen readers, blocks for everybody else. */
export interface Message {
  readonly text: string;
  readonly blocks: types.KnownBlock[];
}
