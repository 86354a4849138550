import type { JsonObject } from '../json.ts';
import { SlackError } from './slack-error.ts';

/** Most items that a page may have, where Slack names no other number. */
const maxPageItems = 1000;

interface Paging {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

interface Page<Item> {
  readonly items: Item[];
  /** What the answer says beside the items. */
  readonly response_metadata: JsonObject;
  readonly hasMore: boolean;
}

/** Cuts a page out of a list; throws `invalid_cursor` or `invalid_limit`. */
export function pageOf<Item>(
  all: readonly Item[],
  { cursor, limit }: Paging,
  defaultItems: number,
): Page<Item> {
  const size = limit ?? defaultItems;
  if (size < 1 || size > maxPageItems) throw new SlackError('invalid_limit');
  const start = cursor ? readCursor(cursor) : 0;
  if (start > all.length) throw new SlackError('invalid_cursor');
  const end = start + size;
  const hasMore = end < all.length;
  return {
    items: all.slice(start, end),
    response_metadata: { next_cursor: hasMore ? cursorAt(end) : '' },
    hasMore,
  };
}

const cursorAt = (index: number) => Buffer.from(`at:${index}`).toString('base64');

function readCursor(cursor: string): number {
  const match = /^at:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString());
  if (!match) throw new SlackError('invalid_cursor');
  return Number(match[1]);
}
