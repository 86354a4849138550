import type { types } from '@slack/bolt';

/** A message: `text` is for notifications and screen readers, `blocks` are displayed. */
export interface Message {
  readonly text: string;
  readonly blocks: types.KnownBlock[];
}
