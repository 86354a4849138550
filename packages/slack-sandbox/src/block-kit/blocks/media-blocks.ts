import { z } from 'zod';
import { once } from '../../once.ts';
import { exactlyOneSource, imageSource } from '../composition-objects.ts';
import { imageElement } from '../elements/image.ts';
import { limits } from '../limits.ts';
import { boundedString, httpUrl, id, mrkdwn, plainText } from '../text-objects.ts';

const block_id = once(() => id().optional());

export const image = once(() =>
  z
    .strictObject({
      type: z.literal('image'),
      block_id: block_id(),
      ...imageSource(),
      title: plainText(limits.image.titleChars).optional(),
    })
    .refine(...exactlyOneSource),
);

const httpsUrl = once(() => httpUrl().startsWith('https://', 'must be a valid HTTPS URL'));

export const video = once(() =>
  z.strictObject({
    type: z.literal('video'),
    block_id: block_id(),
    alt_text: boundedString(limits.altTextChars),
    title: plainText(limits.video.titleChars),
    title_url: httpsUrl().optional(),
    thumbnail_url: httpUrl(),
    video_url: httpsUrl(),
    author_name: boundedString(limits.video.authorChars).optional(),
    description: plainText(limits.video.descriptionChars).optional(),
    provider_name: z.string().optional(),
    provider_icon_url: httpUrl().optional(),
  }),
);

/** A remote file. Slack shows such blocks but rejects them if an app sends one. */
export const file = once(() =>
  z.strictObject({
    type: z.literal('file'),
    block_id: block_id(),
    external_id: z.string().min(1),
    source: z.enum(['remote']),
  }),
);

export const context = once(() =>
  z.strictObject({
    type: z.literal('context'),
    block_id: block_id(),
    elements: z
      .array(z.discriminatedUnion('type', [plainText(), mrkdwn(), imageElement()]))
      .min(1)
      .max(limits.context.elements),
  }),
);
