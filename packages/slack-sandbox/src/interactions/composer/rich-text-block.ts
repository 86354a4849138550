import type { JsonObject } from '../../json.ts';

const referencePattern = /<([@#!]?)([^>|]+)(?:\|([^>]*))?>/g;

/** Converts encoded text to the rich text block that Slack adds to messages by people. */
export function toRichTextBlock(encoded: string, blockId: string): JsonObject {
  const elements: JsonObject[] = [];
  let end = 0;
  for (const match of encoded.matchAll(referencePattern)) {
    if (match.index > end) elements.push(toTextElement(encoded.slice(end, match.index)));
    elements.push(toElement(match[1] ?? '', match[2] ?? '', match[3]));
    end = match.index + match[0].length;
  }
  if (end < encoded.length) elements.push(toTextElement(encoded.slice(end)));
  return { type: 'rich_text', block_id: blockId, elements: [{ type: 'rich_text_section', elements }] };
}

function toElement(sign: string, target: string, label: string | undefined): JsonObject {
  if (sign === '@') return { type: 'user', user_id: target };
  if (sign === '#') return { type: 'channel', channel_id: target };
  if (sign === '')
    return {
      type: 'link',
      url: decodeEntities(target),
      ...(label !== undefined && { text: decodeEntities(label) }),
    };
  const group = /^subteam\^(.+)$/.exec(target)?.[1];
  return group === undefined
    ? { type: 'broadcast', range: target }
    : { type: 'usergroup', usergroup_id: group };
}

const toTextElement = (encoded: string) => ({ type: 'text', text: decodeEntities(encoded) });

const decodeEntities = (encoded: string) =>
  encoded.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
