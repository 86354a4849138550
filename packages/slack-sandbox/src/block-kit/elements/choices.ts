import { z } from 'zod';
import { once } from '../../once.ts';
import { confirm, mrkdwnOption, overflowOption } from '../composition-objects.ts';
import { limits } from '../limits.ts';
import { id } from '../text-objects.ts';
import { refineInitialOptions } from './initial-options.ts';

export const checkboxes = once(() =>
  z
    .strictObject({
      type: z.literal('checkboxes'),
      action_id: id().optional(),
      options: z.array(mrkdwnOption()).min(1).max(limits.checkboxes.options),
      initial_options: z.array(mrkdwnOption()).min(1).optional(),
      confirm: confirm().optional(),
      focus_on_load: z.boolean().optional(),
    })
    .superRefine(refineInitialOptions),
);

export const radioButtons = once(() =>
  z
    .strictObject({
      type: z.literal('radio_buttons'),
      action_id: id().optional(),
      options: z.array(mrkdwnOption()).min(1).max(limits.radioButtons.options),
      initial_option: mrkdwnOption().optional(),
      confirm: confirm().optional(),
      focus_on_load: z.boolean().optional(),
    })
    .superRefine(refineInitialOptions),
);

export const overflow = once(() =>
  z.strictObject({
    type: z.literal('overflow'),
    action_id: id().optional(),
    options: z.array(overflowOption()).min(1).max(limits.overflow.options),
    confirm: confirm().optional(),
  }),
);
