import { z } from 'zod';
import type { SlackClient } from '../client/slack-clients.ts';
import { isSlackPlatformError } from '../client/slack-errors.ts';

/**
 * Slack message metadata that lets the app find its own message again. Contains only IDs and times, because
 * every app in the workspace can read it.
 */
export interface MessageMetadata {
  readonly event_type: string;
  readonly event_payload: Readonly<Record<string, string | number>>;
}

const ownMessage = z.looseObject({
  ts: z.string(),
  user: z.string().optional(),
  metadata: z.object({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()) }).optional(),
});

type OwnMessage = z.infer<typeof ownMessage>;

type FindResult =
  | { readonly kind: 'found'; readonly ts: string }
  | { readonly kind: 'notFound' }
  /** The app can't read the channel. */
  | { readonly kind: 'unreadable' };

const cannotReadErrors: ReadonlySet<string> = new Set([
  'missing_scope',
  'not_in_channel',
  'channel_not_found',
  'thread_not_found',
  'no_permission',
  'access_denied',
]);

/** Maximum expected difference from Slack's clock, and maximum time that posting a message takes. */
const clockSkewMs = 60_000;
const maxPostDelayMs = 2 * 60_000;

/** Messages per page: Slack's limit for apps that are neither reviewed nor internal. */
const pageSize = 15;

/** Maximum number of pages read. Some apps can read only one page a minute. */
const maxPages = 10;

/**
 * Finds a message that the app was about to post at `sentMs`. Returns `unreadable` if the app isn't
 * allowed to read the channel's history (scopes `channels:history` and `groups:history`), or if too
 * many messages followed. Throws if Slack can't be reached.
 */
export async function findOwnMessage(
  client: SlackClient,
  channel: string,
  metadata: MessageMetadata,
  sentMs: number,
): Promise<FindResult> {
  const span = {
    channel,
    oldest: toTs(sentMs - clockSkewMs),
    latest: toTs(sentMs + maxPostDelayMs),
    limit: pageSize,
    include_all_metadata: true,
  };
  return findOnPages(client, metadata, (cursor) =>
    client.conversations.history({ ...span, ...(cursor && { cursor }) }),
  );
}

/** Like `findOwnMessage`, but finds a reply in a thread, posted since `sinceMs`. */
export function findOwnReply(
  client: SlackClient,
  channel: string,
  ts: string,
  metadata: MessageMetadata,
  sinceMs: number,
): Promise<FindResult> {
  const span = {
    channel,
    ts,
    oldest: toTs(sinceMs - clockSkewMs),
    limit: pageSize,
    include_all_metadata: true,
  };
  return findOnPages(client, metadata, (cursor) =>
    client.conversations.replies({ ...span, ...(cursor && { cursor }) }),
  );
}

interface MessagePage {
  readonly messages?: readonly unknown[] | undefined;
  readonly response_metadata?: { readonly next_cursor?: string | undefined } | undefined;
}

/** Searches at most `maxPages` pages for the app's own message with this metadata. */
async function findOnPages(
  client: SlackClient,
  metadata: MessageMetadata,
  readPage: (cursor: string | undefined) => Promise<MessagePage>,
): Promise<FindResult> {
  const search = await readUnlessForbidden(async (): Promise<FindResult> => {
    const isOwn = await createOwnMessageFilter(client);
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const answer = await readPage(cursor);
      const found = isOwn(answer.messages).find((message) => hasMetadata(message, metadata));
      if (found) return { kind: 'found', ts: found.ts };
      cursor = answer.response_metadata?.next_cursor;
      if (!cursor) return { kind: 'notFound' };
    }
    return { kind: 'unreadable' };
  });
  return search ?? { kind: 'unreadable' };
}

function hasMetadata({ metadata }: OwnMessage, { event_type, event_payload }: MessageMetadata): boolean {
  return (
    metadata?.event_type === event_type &&
    Object.entries(event_payload).every(([name, value]) => metadata.event_payload[name] === value)
  );
}

/** Creates a filter that also checks the sender, because another app could copy the metadata. */
async function createOwnMessageFilter(client: SlackClient) {
  const { user_id } = await client.auth.test();
  return (messages: readonly unknown[] = []) =>
    messages.flatMap((message) => {
      const { data } = ownMessage.safeParse(message);
      return data && data.user === user_id ? data : [];
    });
}

async function readUnlessForbidden<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isSlackPlatformError(error) && cannotReadErrors.has(error.data.error)) return undefined;
    throw error;
  }
}

function toTs(atMs: number): string {
  return (atMs / 1_000).toFixed(6);
}
