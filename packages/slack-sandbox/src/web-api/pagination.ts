import type { JsonObject } from '../json.ts';
import { SlackError } from './slack-error.ts';

/** Maximum page size, unless Slack names another one. */
const maxPageItems = 1000;

interface PageArguments {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

interface Page<Item> {
  readonly items: Item[];
  /** The fields of the response beside the items. */
  readonly response_metadata: JsonObject;
  readonly hasMore: boolean;
}

/**
 * Returns one page of a list. Throws `invalid_cursor` if there is no such page, and `invalid_limit` if
 * the method is `strict`. Others, whose reference has no such error, get the nearest valid limit.
 */
export function paginate<Item>(
  all: readonly Item[],
  { cursor, limit }: PageArguments,
  defaultItems: number,
  strictness: 'strict' | 'lenient' = 'lenient',
): Page<Item> {
  const wanted = limit ?? defaultItems;
  const size = Math.min(Math.max(wanted, 1), maxPageItems);
  if (strictness === 'strict' && size !== wanted) throw new SlackError('invalid_limit');
  const start = cursor ? parseCursor(cursor) : 0;
  if (start > all.length) throw new SlackError('invalid_cursor');
  const end = start + size;
  const hasMore = end < all.length;
  return {
    items: all.slice(start, end),
    response_metadata: { next_cursor: hasMore ? formatCursor(end) : '' },
    hasMore,
  };
}

const formatCursor = (index: number) => Buffer.from(`at:${index}`).toString('base64');

function parseCursor(cursor: string): number {
  const match = /^at:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString());
  if (!match) throw new SlackError('invalid_cursor');
  return Number(match[1]);
}
