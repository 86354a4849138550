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

/** Returns one page of a list. Throws `invalid_cursor` or `invalid_limit` if the arguments are invalid. */
export function paginate<Item>(
  all: readonly Item[],
  { cursor, limit }: PageArguments,
  defaultItems: number,
): Page<Item> {
  const size = limit ?? defaultItems;
  if (size < 1 || size > maxPageItems) throw new SlackError('invalid_limit');
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
