import { z } from 'zod';
import { imageElement } from '../elements/image.ts';
import { limits } from '../limits.ts';
import { richText } from '../rich-text.ts';
import { unionForSurface } from '../surface-union.ts';
import { blockSurfaces, type Surface } from '../surfaces.ts';
import { id, plainText, textObject } from '../text-objects.ts';
import { actions, input } from './interactive-blocks.ts';
import { context, file, image, video } from './media-blocks.ts';
import { table } from './tables.ts';
import { divider, header, section } from './text-blocks.ts';

const children = {
  actions,
  context,
  divider,
  file,
  header,
  image,
  input,
  rich_text: richText,
  section,
  table,
  video,
};

/** A group of blocks with a title. Containers can't be nested. */
export function container(surface: Surface) {
  return z
    .strictObject({
      type: z.literal('container'),
      block_id: id().optional(),
      title: plainText(limits.container.titleChars).optional(),
      rich_text_title: richText().optional(),
      subtitle: textObject(limits.container.titleChars).optional(),
      icon: imageElement().optional(),
      child_blocks: z
        .array(unionForSurface(children, blockSurfaces, surface))
        .min(1)
        .max(limits.container.children),
      width: z.enum(['narrow', 'standard', 'wide', 'full']).optional(),
      is_collapsible: z.boolean().optional(),
      default_collapsed: z.boolean().optional(),
      has_header_divider: z.boolean().optional(),
    })
    .refine(
      ({ title, rich_text_title }) => title || rich_text_title,
      'must define either `title` or `rich_text_title`',
    );
}
