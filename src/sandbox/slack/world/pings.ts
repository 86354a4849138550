import { isObject, type JsonObject } from '../json.ts';

/** Fields whose text Slack reads as markup although no `mrkdwn` object holds it. */
const markupFields: ReadonlySet<string> = new Set(['pretext', 'markdown']);

const broadcasts = /<!(channel|here|everyone)(?:\|[^>]*)?>/g;
const mentions = /<(?:@([UW][A-Z0-9]+)|!subteam\^(S[A-Z0-9]+))(?:\|[^>]*)?>/g;

/**
 * Lists whom a message would notify: `channel`, `here`, `everyone`, and ids of people and groups. Strict: a mention
 * counts wherever Slack may read markup, the text beside blocks included.
 */
export function pingsIn(message: { text?: unknown; blocks?: unknown; attachments?: unknown }): string[] {
  const found = [
    ...inMarkup(message.text),
    ...inParts(message.blocks),
    ...inParts(message.attachments, ['text', ...markupFields]),
  ];
  return [...new Set(found)];
}

function inMarkup(text: unknown): string[] {
  if (typeof text !== 'string') return [];
  return [
    ...[...text.matchAll(broadcasts)].map((match) => match[1]),
    ...[...text.matchAll(mentions)].map((match) => match[1] ?? match[2]),
  ].filter((ping) => ping !== undefined);
}

function inParts(value: unknown, alsoMarkup: readonly string[] = []): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => inParts(item, alsoMarkup));
  if (!isObject(value)) return [];
  const isMarkup = value.type === 'mrkdwn' || value.type === 'markdown';
  const own = isMarkup ? inMarkup(value.text) : alsoMarkup.flatMap((field) => inMarkup(value[field]));
  return [...own, ...inRichText(value), ...Object.values(value).flatMap((part) => inParts(part))];
}

function inRichText(element: JsonObject): string[] {
  const id =
    (element.type === 'user' && element.user_id) ||
    (element.type === 'usergroup' && element.usergroup_id) ||
    (element.type === 'broadcast' && element.range);
  return typeof id === 'string' ? [id] : [];
}
