import { isObject, type JsonObject } from '../json.ts';

/** Parts of a rich text whose elements stand on one line. */
const inlineTypes: ReadonlySet<unknown> = new Set([
  ...['rich_text_section', 'rich_text_preformatted', 'rich_text_quote'],
]);

/** Returns the lines that people read in blocks, without those of buttons, menus and fields. */
export function listBlockText(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listBlockText);
  if (!isObject(value) || 'action_id' in value) return [];
  const { type, elements } = value;
  if (inlineTypes.has(type) && Array.isArray(elements)) {
    return elements
      .filter(isObject)
      .map((element) => toInlineText(element))
      .join('')
      .split('\n')
      .filter((line) => line !== '');
  }
  return Object.entries(value).flatMap(([field, part]) =>
    field === 'text' && typeof part === 'string' && part !== '' ? [part] : listBlockText(part),
  );
}

function toInlineText({
  type,
  text,
  url,
  user_id,
  usergroup_id,
  channel_id,
  name,
  range,
}: JsonObject): string {
  if (typeof text === 'string') return text;
  if (type === 'user') return `<@${user_id}>`;
  if (type === 'usergroup') return `<!subteam^${usergroup_id}>`;
  if (type === 'channel') return `<#${channel_id}>`;
  if (type === 'broadcast') return `<!${range}>`;
  if (type === 'emoji') return `:${name}:`;
  return typeof url === 'string' ? url : '';
}
