import type { JsonObject } from '../json.ts';

const special = /<([@#!]?)([^>|]+)(?:\|([^>]*))?>/g;

/** Writes encoded text as the one rich text block that Slack adds to what people post. */
export function richTextOf(encoded: string, blockId: string): JsonObject {
  const elements: JsonObject[] = [];
  let end = 0;
  for (const match of encoded.matchAll(special)) {
    if (match.index > end) elements.push(plain(encoded.slice(end, match.index)));
    elements.push(elementOf(match[1] ?? '', match[2] ?? '', match[3]));
    end = match.index + match[0].length;
  }
  if (end < encoded.length) elements.push(plain(encoded.slice(end)));
  return { type: 'rich_text', block_id: blockId, elements: [{ type: 'rich_text_section', elements }] };
}

function elementOf(sign: string, target: string, label: string | undefined): JsonObject {
  if (sign === '@') return { type: 'user', user_id: target };
  if (sign === '#') return { type: 'channel', channel_id: target };
  if (sign === '')
    return { type: 'link', url: decode(target), ...(label !== undefined && { text: decode(label) }) };
  const group = /^subteam\^(.+)$/.exec(target)?.[1];
  return group === undefined
    ? { type: 'broadcast', range: target }
    : { type: 'usergroup', usergroup_id: group };
}

const plain = (encoded: string) => ({ type: 'text', text: decode(encoded) });

const decode = (encoded: string) =>
  encoded.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
