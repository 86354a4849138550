import { z } from 'zod';
import type { SlackClient } from './clients.ts';
import { isRefusedBySlack } from './slack-error.ts';

/** What a message of the app is known by again, as its metadata in Slack, which every app there may read: ids and times, nothing that it says. */
export interface MessageMark {
  readonly event_type: string;
  readonly event_payload: Readonly<Record<string, string | number>>;
}

const ownMessage = z.looseObject({
  ts: z.string(),
  user: z.string().optional(),
  files: z.array(z.unknown()).default([]),
  metadata: z.object({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()) }).optional(),
});

type OwnMessage = z.infer<typeof ownMessage>;

/** Slack's answers that mean: the app may not read there. */
const noReading: ReadonlySet<string> = new Set([
  'missing_scope',
  'not_in_channel',
  'channel_not_found',
  'no_permission',
  'access_denied',
]);

/** How far the clocks of Slack and of this machine may be apart, and how long after it left a message may be posted. */
const asideMs = 60_000;
const postedWithinMs = 2 * 60_000;

/** Messages of one answer: as many as Slack gives an app that it has not reviewed, and that is not a team's own. */
const perPage = 15;

/** Pages that are looked at. Slack lets some apps ask once a minute. */
const mostPages = 10;

/**
 * Finds a message of the app that was about to leave at a moment. `unreadable` where the app may not read the history of that channel, for which the
 * scopes `channels:history` and `groups:history` are, or where too much was said there meanwhile. Rejects where Slack cannot be asked now.
 */
export async function findOwnMessage(
  client: SlackClient,
  channel: string,
  mark: MessageMark,
  leftMs: number,
): Promise<OwnMessage | 'none' | 'unreadable'> {
  const span = {
    channel,
    oldest: tsOf(leftMs - asideMs),
    latest: tsOf(leftMs + postedWithinMs),
    limit: perPage,
    include_all_metadata: true,
  };
  const pages = await unlessUnreadable(async () => {
    const messages: OwnMessage[] = [];
    const isOwn = await ownershipOf(client);
    let cursor: string | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      const answer = await client.conversations.history({ ...span, ...(cursor && { cursor }) });
      messages.push(...isOwn(answer.messages));
      cursor = answer.response_metadata?.next_cursor;
      if (!cursor || messages.some((message) => hasMark(message, mark))) return { messages, isAll: true };
    }
    return { messages, isAll: false };
  });
  const found = pages?.messages.find((message) => hasMark(message, mark));
  return found ?? (pages?.isAll ? 'none' : 'unreadable');
}

/** Gives the app's own replies in a thread; none where it may not read them. */
export async function ownReplies(
  client: SlackClient,
  channel: string,
  ts: string,
): Promise<readonly OwnMessage[]> {
  const replies = await unlessUnreadable(async () => {
    const isOwn = await ownershipOf(client);
    const { messages } = await client.conversations.replies({
      channel,
      ts,
      limit: perPage,
      include_all_metadata: true,
    });
    return isOwn(messages).filter((message) => message.ts !== ts);
  });
  return replies ?? [];
}

/** Tells whether a message carries a mark. */
export function hasMark({ metadata }: OwnMessage, { event_type, event_payload }: MessageMark): boolean {
  return (
    metadata?.event_type === event_type &&
    Object.entries(event_payload).every(([name, value]) => metadata.event_payload[name] === value)
  );
}

/** Another app could copy a mark. */
async function ownershipOf(client: SlackClient) {
  const { user_id } = await client.auth.test();
  return (messages: readonly unknown[] = []) =>
    messages.flatMap((message) => {
      const { data } = ownMessage.safeParse(message);
      return data && data.user === user_id ? data : [];
    });
}

async function unlessUnreadable<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isRefusedBySlack(error) && noReading.has(error.data.error)) return undefined;
    throw error;
  }
}

function tsOf(atMs: number): string {
  return (atMs / 1_000).toFixed(6);
}
