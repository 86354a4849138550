import { isObject } from '../json.ts';

/** An entity, a `<…>` that Slack gives a meaning, or a character that it escapes. */
const markupPattern = /&(?:amp|lt|gt);|<(?:[@#!][^<>\s]|[a-z][a-z0-9+.-]*:)[^<>\n]*>|[&<>]/gi;
const bareAmpersand = /&(?!(?:amp|lt|gt);)/g;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Returns text with markup as Slack stores it: `&`, `<` and `>` are entities, except those of `<…>`
 * that stand for mentions, links and dates.
 */
export function toStoredMarkup(text: string): string {
  return text.replaceAll(markupPattern, (match) => {
    if (match.length === 1) return entities[match] ?? match;
    return match.startsWith('<') ? match.replaceAll(bareAmpersand, '&amp;') : match;
  });
}

/**
 * Returns blocks or a view as Slack stores them: plain text has `emoji`, text with markup has
 * `verbatim` and entities.
 */
export function toStoredTexts<Value>(value: Value): Value;
export function toStoredTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => toStoredTexts(item));
  if (!isObject(value)) return value;
  if (typeof value.text === 'string') {
    const { type, text, emoji = true, verbatim = false } = value;
    if (type === 'plain_text') return { type, text, emoji };
    if (type === 'mrkdwn') return { type, text: toStoredMarkup(value.text), verbatim };
  }
  return Object.fromEntries(Object.entries(value).map(([field, part]) => [field, toStoredTexts(part)]));
}
