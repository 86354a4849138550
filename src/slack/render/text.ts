import type { types } from '@slack/bolt';

/** Escapes foreign text for mrkdwn and for the top-level text of a message, so that it can neither ping nor link. */
export function escapeText(text: string): string {
  return plainly(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Characters that turn around the text after them, in which a name could pass for another, and those that nothing shows. */
const deceiving = /[\u202A-\u202E\u2066-\u2069]|(?![\t\n])\p{Cc}/gu;

/** Takes out of foreign text what would make the text around it read otherwise. */
function plainly(text: string): string {
  return text.toWellFormed().replace(deceiving, '');
}

const visible = /[^\s\p{Cf}\u2800\u3164\u115F\u1160\uFFA0]/u;

/** Makes foreign text readable where it stands alone: a dash where nothing of it would be seen, which Slack refuses besides. */
export function readable(text: string): string {
  const left = plainly(text);
  return visible.test(left) ? left : '–';
}

/** Shortens text to at most `most` characters, without cutting a character in two. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  return `${cut.replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Shortens markup to at most `most` characters, without cutting an escaped character, a mention or a date in two. */
export function clipMarkup(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${clip(text, most)
    .slice(0, -1)
    .replace(/(?:&[a-z]{0,3}|<[^<>]*)$/, '')}…`;
}

/** Writes text that Slack shows as it is. */
export function plain(text: string, most: number): types.PlainTextElement {
  return { type: 'plain_text', text: clip(readable(text), most), emoji: false };
}

/** What is read of a message in a notification: the rest is in its blocks. */
const notificationChars = 500;

/** Writes the top-level text of a message, in which foreign text can neither ping nor link. */
export function notificationText(text: string): string {
  return escapeText(clip(text, notificationChars));
}
