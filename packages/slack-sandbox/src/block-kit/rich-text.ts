import { z } from 'zod';
import { once } from '../once.ts';
import { limits } from './limits.ts';
import { id } from './text-objects.ts';

const flag = once(() => z.boolean().optional());

const style = once(() =>
  z
    .strictObject({
      bold: flag(),
      italic: flag(),
      strike: flag(),
      underline: flag(),
      code: flag(),
      highlight: flag(),
      client_highlight: flag(),
      unlink: flag(),
    })
    .optional(),
);

const text = once(() => z.strictObject({ type: z.literal('text'), text: z.string().min(1), style: style() }));

const link = once(() =>
  z.strictObject({
    type: z.literal('link'),
    url: z.string().min(1),
    text: z.string().optional(),
    unsafe: flag(),
    style: style(),
  }),
);

/**
 * The inline elements of rich text. Those that only Slack's own clients create (canvases, lists,
 * workflows) are left out.
 */
const inlineElements = once(
  () =>
    [
      text(),
      link(),
      z.strictObject({
        type: z.literal('broadcast'),
        range: z.enum(['here', 'channel', 'everyone']),
        style: style(),
      }),
      z.strictObject({ type: z.literal('channel'), channel_id: id(), style: style() }),
      z.strictObject({ type: z.literal('color'), value: z.string().min(1), style: style() }),
      z.strictObject({
        type: z.literal('date'),
        timestamp: z.int(),
        format: z.string().min(1),
        timezone: z.string().optional(),
        url: z.string().min(1).optional(),
        fallback: z.string().optional(),
        style: style(),
      }),
      z.strictObject({
        type: z.literal('emoji'),
        name: z.string().min(1),
        unicode: z.string().optional(),
        url: z.string().optional(),
        style: style(),
      }),
      z.strictObject({ type: z.literal('team'), team_id: id(), style: style() }),
      z.strictObject({ type: z.literal('user'), user_id: id(), style: style() }),
      z.strictObject({ type: z.literal('usergroup'), usergroup_id: id(), style: style() }),
    ] as const,
);

const inlineElement = once(() => z.discriminatedUnion('type', inlineElements()));
const border = once(() => z.int().min(0).max(1).optional());

const section = once(() =>
  z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(inlineElement()) }),
);

const list = once(() =>
  z.strictObject({
    type: z.literal('rich_text_list'),
    style: z.enum(['bullet', 'ordered']),
    elements: z.array(section()),
    indent: z.int().min(0).max(limits.richTextList.indent).optional(),
    offset: z.int().min(0).optional(),
    border: border(),
  }),
);

const quote = once(() =>
  z.strictObject({
    type: z.literal('rich_text_quote'),
    elements: z.array(inlineElement()),
    border: border(),
  }),
);

const preformatted = once(() =>
  z.strictObject({
    type: z.literal('rich_text_preformatted'),
    elements: z.array(z.discriminatedUnion('type', [text(), link()])),
    language: z.string().optional(),
    border: border(),
  }),
);

/** Rich text, which can be a block, a table cell, or the initial value of a rich text input. */
export const richText = once(() =>
  z.strictObject({
    type: z.literal('rich_text'),
    block_id: id().optional(),
    elements: z.array(z.discriminatedUnion('type', [section(), list(), quote(), preformatted()])),
  }),
);
