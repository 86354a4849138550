import { isObject } from '../json.ts';

/**
 * Code, an entity, a `<…>` that Slack gives a meaning, a URL, or a character that Slack escapes.
 */
const markupPattern =
  /```[\s\S]*?```|`[^`\n]+`|&(?:amp|lt|gt);|<(?:[@#!][^<>\s]|[a-z][a-z0-9+.-]*:)[^<>\n]*>|(?<![\p{L}\p{N}])https?:\/\/[^\s<>|`"]+|[&<>]/giu;
const entityPattern = /&(?:amp|lt|gt);|[&<>]/g;
const bareAmpersand = /&(?!(?:amp|lt|gt);)/g;
/** Punctuation after a URL, which isn't part of it. */
const afterUrl = /(?:[.,;:!?'")\]*_~]|&gt;)+$/;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Returns text with markup as Slack stores it: `&`, `<` and `>` are entities, except those of `<…>`
 * that stand for mentions, links and dates. URLs become `<…>`, except in code or in `verbatim` text.
 */
export function toStoredMarkup(text: string, { verbatim = false } = {}): string {
  return text.replaceAll(markupPattern, (match) => {
    if (match.length === 1) return entities[match] ?? match;
    if (match.startsWith('<')) return match.replaceAll(bareAmpersand, '&amp;');
    if (match.startsWith('`')) return `\`${toStoredMarkup(match.slice(1, -1), { verbatim: true })}\``;
    if (match.startsWith('&') || verbatim) return match.replaceAll(bareAmpersand, '&amp;');
    const url = match.replace(afterUrl, '');
    return `<${url.replaceAll(bareAmpersand, '&amp;')}>${toStoredPlainText(match.slice(url.length))}`;
  });
}

/** Returns plain text as Slack stores it in messages: `&`, `<` and `>` are entities. */
export function toStoredPlainText(text: string): string {
  return text.replaceAll(entityPattern, (match) => entities[match] ?? match);
}

/** Returns a view as Slack stores it: plain text has `emoji`, text with markup has `verbatim` and entities. */
export function toStoredTexts<Value>(value: Value): Value {
  return convertTexts(value, (text) => text);
}

/** Returns blocks of a message as Slack stores them: as in a view, and plain text has entities too. */
export function toStoredMessageTexts<Value>(value: Value): Value {
  return convertTexts(value, toStoredPlainText);
}

function convertTexts<Value>(value: Value, convertPlain: (text: string) => string): Value;
function convertTexts(value: unknown, convertPlain: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => convertTexts(item, convertPlain));
  if (!isObject(value)) return value;
  if (typeof value.text === 'string') {
    const { type, emoji = true, verbatim = false } = value;
    if (type === 'plain_text') return { type, text: convertPlain(value.text), emoji };
    if (type === 'mrkdwn')
      return { type, text: toStoredMarkup(value.text, { verbatim: verbatim === true }), verbatim };
  }
  return Object.fromEntries(
    Object.entries(value).map(([field, part]) => [field, convertTexts(part, convertPlain)]),
  );
}
