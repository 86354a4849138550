import { z } from 'zod';
import { once } from '../../once.ts';
import { button } from '../elements/buttons.ts';
import { imageElement } from '../elements/image.ts';
import { limits } from '../limits.ts';
import { id, textObject } from '../text-objects.ts';

const heading = once(() => textObject(limits.card.titleChars).optional());
const prose = once(() => textObject(limits.card.bodyChars).optional());

/** A card. The names of Slack's own icons aren't checked. */
export const card = once(() =>
  z
    .strictObject({
      type: z.literal('card'),
      block_id: id().optional(),
      hero_image: imageElement().optional(),
      icon: imageElement().optional(),
      slack_icon: z.strictObject({ type: z.literal('icon'), name: z.string().min(1) }).optional(),
      title: heading(),
      subtitle: heading(),
      body: prose(),
      subtext: prose(),
      actions: z.array(button()).min(1).max(limits.card.actions).optional(),
    })
    .refine(
      ({ hero_image, title, actions, body }) => hero_image || title || actions || body,
      'must define at least one of `hero_image`, `title`, `actions` or `body`',
    )
    .refine(({ icon, slack_icon }) => !(icon && slack_icon), {
      path: ['slack_icon'],
      message: 'must not be defined along with `icon`',
    }),
);

export const carousel = once(() =>
  z.strictObject({
    type: z.literal('carousel'),
    block_id: id().optional(),
    elements: z.array(card()).min(1).max(limits.carousel.cards),
  }),
);
