import { z } from 'zod';
import { once } from '../once.ts';
import { blocksSchema } from './blocks.ts';
import { limits } from './limits.ts';
import { plainText } from './text-objects.ts';

const button = once(() => plainText(limits.view.buttonChars).optional());

const common = once(() => ({
  private_metadata: z.string().max(limits.view.metadataChars).optional(),
  callback_id: z.string().max(limits.idChars).optional(),
  external_id: z.string().max(limits.idChars).optional(),
}));

const modal = once(() =>
  z.strictObject({
    type: z.literal('modal'),
    title: plainText(limits.view.titleChars),
    blocks: blocksSchema('modal', limits.view.blocks),
    submit: button(),
    close: button(),
    clear_on_close: z.boolean().optional(),
    notify_on_close: z.boolean().optional(),
    ...common(),
  }),
);

const home = once(() =>
  z.strictObject({
    type: z.literal('home'),
    blocks: blocksSchema('home', limits.view.blocks),
    ...common(),
  }),
);

/** A view as an app sends it. Rejects fields that Slack adds, such as `id`, `hash` and `state`. */
export const viewSchema = once(() => z.discriminatedUnion('type', [modal(), home()]));
