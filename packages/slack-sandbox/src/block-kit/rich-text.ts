import { z } from 'zod';
import { limits } from './limits.ts';
import { id } from './text-objects.ts';

const flag = z.boolean().optional();

const style = z
  .strictObject({
    bold: flag,
    italic: flag,
    strike: flag,
    underline: flag,
    code: flag,
    highlight: flag,
    client_highlight: flag,
    unlink: flag,
  })
  .optional();

const text = z.strictObject({ type: z.literal('text'), text: z.string().min(1), style });

const link = z.strictObject({
  type: z.literal('link'),
  url: z.string().min(1),
  text: z.string().optional(),
  unsafe: flag,
  style,
});

/**
 * The inline elements of rich text. Those that only Slack's own clients create (canvases, lists,
 * workflows) are left out.
 */
const inlineElements = [
  text,
  link,
  z.strictObject({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']), style }),
  z.strictObject({ type: z.literal('channel'), channel_id: id, style }),
  z.strictObject({ type: z.literal('color'), value: z.string().min(1), style }),
  z.strictObject({
    type: z.literal('date'),
    timestamp: z.int(),
    format: z.string().min(1),
    timezone: z.string().optional(),
    url: z.string().min(1).optional(),
    fallback: z.string().optional(),
    style,
  }),
  z.strictObject({
    type: z.literal('emoji'),
    name: z.string().min(1),
    unicode: z.string().optional(),
    url: z.string().optional(),
    style,
  }),
  z.strictObject({ type: z.literal('team'), team_id: id, style }),
  z.strictObject({ type: z.literal('user'), user_id: id, style }),
  z.strictObject({ type: z.literal('usergroup'), usergroup_id: id, style }),
] as const;

const inlineElement = z.discriminatedUnion('type', inlineElements);
const border = z.int().min(0).max(1).optional();

const section = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(inlineElement) });

const list = z.strictObject({
  type: z.literal('rich_text_list'),
  style: z.enum(['bullet', 'ordered']),
  elements: z.array(section),
  indent: z.int().min(0).max(limits.richTextList.indent).optional(),
  offset: z.int().min(0).optional(),
  border,
});

const quote = z.strictObject({
  type: z.literal('rich_text_quote'),
  elements: z.array(inlineElement),
  border,
});

const preformatted = z.strictObject({
  type: z.literal('rich_text_preformatted'),
  elements: z.array(z.discriminatedUnion('type', [text, link])),
  language: z.string().optional(),
  border,
});

/** Rich text, which can be a block, a table cell, or the initial value of a rich text input. */
export const richText = z.strictObject({
  type: z.literal('rich_text'),
  block_id: id.optional(),
  elements: z.array(z.discriminatedUnion('type', [section, list, quote, preformatted])),
});
