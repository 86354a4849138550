import type { types } from '@slack/bolt';

/** Escapes foreign text for mrkdwn and for the top-level text of a message, so that it can neither ping nor link. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Shortens text to at most `most` characters, without cutting a character in two. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  return `${cut.replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Writes text that Slack shows as it is. */
export function plain(text: string, most: number): types.PlainTextElement {
  return { type: 'plain_text', text: clip(text, most), emoji: false };
}

/** What is read of a message in a notification: the rest is in its blocks. */
const notificationChars = 500;

/** Writes the top-level text of a message, in which foreign text can neither ping nor link. */
export function notificationText(text: string): string {
  return escapeText(clip(text, notificationChars));
}
