import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../json.ts';
import { broadcastRanges, type Part, parseMrkdwn, type Span, type Style } from './parse-mrkdwn.ts';

type RunStyle = Partial<Record<Style | 'code', true>>;

/** An emoji's name between colons. Names that are only digits are times, as in `10:30:00`. */
const emojiPattern = /:((?!\d+:)[a-z0-9_+'-]+(?:::skin-tone-[2-6])?):/;

/** Converts text with markup to the rich text block that Slack adds to a message that has only text. */
export function toRichTextBlock(text: string, blockId: string): JsonObject {
  const elements = parseMrkdwn(text, { verbatim: true }).map(toBlockElement);
  return { type: 'rich_text', block_id: blockId, elements };
}

/** Returns whether a message's blocks are those that Slack adds to its text. */
export function hasOnlyTextBlock({
  text,
  blocks,
}: {
  readonly text?: unknown;
  readonly blocks?: unknown;
}): boolean {
  const [block, ...others] = Array.isArray(blocks) ? blocks : [];
  if (typeof text !== 'string' || others.length > 0 || !isObject(block)) return false;
  return isDeepStrictEqual(block, toRichTextBlock(text, String(block.block_id)));
}

function toBlockElement(part: Part): JsonObject {
  if (part.kind === 'preformatted')
    return { type: 'rich_text_preformatted', elements: toRuns(part.spans, {}, toText) };
  const type = part.kind === 'quote' ? 'rich_text_quote' : 'rich_text_section';
  const spans = part.lines.flatMap((line, index): Span[] =>
    index === 0 ? [...line] : [{ kind: 'text', text: '\n' }, ...line],
  );
  return { type, elements: toRuns(spans, {}, toTextAndEmoji) };
}

type TextConverter = (text: string, style: RunStyle) => JsonObject[];

/** Converts inline parts to the elements of rich text. Neighbors with the same style are joined. */
function toRuns(spans: readonly Span[], style: RunStyle, convertText: TextConverter): JsonObject[] {
  const joined: JsonObject[] = [];
  for (const run of spans.flatMap((span) => toRun(span, style, convertText))) {
    const last = joined.at(-1);
    const isSame = last?.type === 'text' && run.type === 'text' && isDeepStrictEqual(last.style, run.style);
    if (isSame) joined[joined.length - 1] = { ...last, text: `${String(last.text)}${String(run.text)}` };
    else joined.push(run);
  }
  return joined;
}

function toRun(span: Span, style: RunStyle, convertText: TextConverter): JsonObject[] {
  const styled = withStyle(style);
  switch (span.kind) {
    case 'text':
      return convertText(span.text, style);
    case 'styled':
      return toRuns(span.children, { ...style, [span.style]: true }, convertText);
    case 'code':
      return toText(span.text, { ...style, code: true });
    case 'link':
      return [
        { type: 'link', url: span.url, ...(span.label !== span.url && { text: span.label }), ...styled },
      ];
    case 'user':
      return [{ type: 'user', user_id: span.id, ...styled }];
    case 'channel':
      return [{ type: 'channel', channel_id: span.id, ...styled }];
    case 'group':
      return [{ type: 'usergroup', usergroup_id: span.id, ...styled }];
    case 'broadcast':
      if (!broadcastRanges.has(span.range)) return convertText(`@${span.range}`, style);
      return [{ type: 'broadcast', range: span.range, ...styled }];
    case 'date': {
      const { seconds, format, url, fallback } = span;
      if (!Number.isSafeInteger(seconds) || format === '') return convertText(fallback, style);
      return [{ type: 'date', timestamp: seconds, format, ...(url && { url }), fallback, ...styled }];
    }
    default:
      return span satisfies never;
  }
}

const toText: TextConverter = (text, style) =>
  text === '' ? [] : [{ type: 'text', text, ...withStyle(style) }];

const toTextAndEmoji: TextConverter = (text, style) =>
  text
    .split(new RegExp(emojiPattern, 'g'))
    .flatMap((piece, index) =>
      index % 2 === 0 ? toText(piece, style) : [{ type: 'emoji', name: piece, ...withStyle(style) }],
    );

const withStyle = (style: RunStyle) => (Object.keys(style).length > 0 ? { style } : {});
