import { isObject, type JsonObject } from '../../json.ts';

/** Text fields in which Slack parses markup although they aren't `mrkdwn` objects. */
const markupFields: ReadonlySet<string> = new Set(['pretext', 'markdown']);

const broadcastPattern = /<!(channel|here|everyone)(?:\|[^>]*)?>/g;
const mentionPattern = /<(?:@([UW][A-Z0-9]+)|!subteam\^(S[A-Z0-9]+))(?:\|[^>]*)?>/g;

/**
 * Lists everyone a message would notify: `channel`, `here`, `everyone`, and IDs of people and
 * groups. Includes mentions wherever Slack can parse markup, also in the text beside blocks.
 */
export function findMentions(message: { text?: unknown; blocks?: unknown; attachments?: unknown }): string[] {
  const found = [
    ...findInMarkup(message.text),
    ...findInObject(message.blocks),
    ...findInObject(message.attachments, ['text', ...markupFields]),
  ];
  return [...new Set(found)];
}

function findInMarkup(text: unknown): string[] {
  if (typeof text !== 'string') return [];
  return [
    ...[...text.matchAll(broadcastPattern)].map((match) => match[1]),
    ...[...text.matchAll(mentionPattern)].map((match) => match[1] ?? match[2]),
  ].filter((ping) => ping !== undefined);
}

function findInObject(value: unknown, alsoMarkup: readonly string[] = []): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => findInObject(item, alsoMarkup));
  if (!isObject(value)) return [];
  const isMarkup = value.type === 'mrkdwn' || value.type === 'markdown';
  const own = isMarkup ? findInMarkup(value.text) : alsoMarkup.flatMap((field) => findInMarkup(value[field]));
  return [...own, ...findInRichText(value), ...Object.values(value).flatMap((part) => findInObject(part))];
}

function findInRichText(element: JsonObject): string[] {
  const id =
    (element.type === 'user' && element.user_id) ||
    (element.type === 'usergroup' && element.usergroup_id) ||
    (element.type === 'broadcast' && element.range);
  return typeof id === 'string' ? [id] : [];
}
