import { z } from 'zod';
import { once } from '../../once.ts';
import { accessory } from '../elements.ts';
import { limits } from '../limits.ts';
import type { Surface } from '../surfaces.ts';
import { boundedString, id, plainText, textObject } from '../text-objects.ts';

const block_id = once(() => id().optional());

export const divider = once(() => z.strictObject({ type: z.literal('divider'), block_id: block_id() }));

export const header = once(() =>
  z.strictObject({
    type: z.literal('header'),
    block_id: block_id(),
    text: plainText(limits.header.textChars),
    level: z.int().min(1).max(limits.header.level).optional(),
  }),
);

/** Standard Markdown. The length limit applies to all Markdown blocks of a message together. */
export const markdown = once(() =>
  z.strictObject({
    type: z.literal('markdown'),
    block_id: block_id(),
    text: boundedString(limits.markdown.charsPerMessage),
  }),
);

export const alert = once(() =>
  z.strictObject({
    type: z.literal('alert'),
    block_id: block_id(),
    text: textObject(limits.alert.textChars),
    level: z.enum(['default', 'info', 'warning', 'error', 'success']).optional(),
  }),
);

export function section(surface: Surface) {
  return z
    .strictObject({
      type: z.literal('section'),
      block_id: block_id(),
      text: textObject(limits.section.textChars).optional(),
      fields: z.array(textObject(limits.section.fieldChars)).min(1).max(limits.section.fields).optional(),
      accessory: accessory(surface).optional(),
      expand: z.boolean().optional(),
    })
    .refine(({ text, fields }) => text || fields, 'must define either `text` or `fields`');
}
