import type { types } from '@slack/bolt';

/** Matches a character that Slack could read as the start or end of bold, italic or strikethrough text. */
const styleMark = /(?<![\p{L}\p{N}])[*_~]|[*_~](?![\p{L}\p{N}])/gu;

/** Escapes untrusted text for mrkdwn. Mentions and links have no effect, and `*`, `_` and `~` stay visible. */
export function escapeText(text: string): string {
  // Slack has no escape for these characters, but shows them as text next to a zero-width space.
  return escapeReferences(text).replace(styleMark, '\u200B$&\u200B');
}

/** Escapes untrusted text where Slack applies no styles: in code, and in a message's top-level text. */
export function escapeReferences(text: string): string {
  return stripInvisible(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Matches control characters and bidirectional overrides. An override can make one name look like another. */
const deceptiveChars = /[\u202A-\u202E\u2066-\u2069]|(?![\t\n])\p{Cc}/gu;

/** Removes characters that change how the surrounding text looks. */
function stripInvisible(text: string): string {
  return text.toWellFormed().replace(deceptiveChars, '');
}

const visible = /[^\s\p{Cf}\u2800\u3164\u115F\u1160\uFFA0]/u;

/**
 * Cleans untrusted text for an element without markup. Text without a visible character becomes a dash,
 * because Slack rejects empty text.
 */
export function toPrintable(text: string): string {
  const cleaned = stripInvisible(text);
  return visible.test(cleaned) ? cleaned : '–';
}

/** Shortens text to at most `maxChars`, without splitting a surrogate pair. */
export function truncate(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars - 1);
  return `${cut.replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Shortens mrkdwn to at most `maxChars`, without splitting an entity, a mention or a date. */
export function truncateMrkdwn(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${truncate(text, maxChars)
    .slice(0, -1)
    .replace(/(?:&[a-z]{0,3}|<[^<>]*)$/, '')}…`;
}

export function plainText(text: string, maxChars: number): types.PlainTextElement {
  return { type: 'plain_text', text: truncate(toPrintable(text), maxChars), emoji: false };
}

/** Formats a time for mrkdwn, in the reader's time zone. Slack capitalizes the first letter. */
export function formatDate(timeMs: number, format = '{time} {date_short_pretty}'): string {
  return `<!date^${Math.floor(timeMs / 1_000)}^${format}|${new Date(timeMs).toISOString()}>`;
}

/** Maximum length of a notification. The message's blocks contain the full text. */
const notificationChars = 500;

/** Returns a message's top-level text, escaped so it can't contain mentions or links. */
export function notificationText(text: string): string {
  return escapeReferences(truncate(text, notificationChars));
}
