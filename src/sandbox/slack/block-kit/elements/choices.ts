import { z } from 'zod';
import { limits } from '../limits.ts';
import { confirm, linkedOption, markedOption } from '../objects.ts';
import { id } from '../text.ts';
import { initialOptionsOffered } from './initial-options.ts';

export const checkboxes = z
  .strictObject({
    type: z.literal('checkboxes'),
    action_id: id.optional(),
    options: z.array(markedOption).min(1).max(limits.checkboxes.options),
    initial_options: z.array(markedOption).min(1).optional(),
    confirm: confirm.optional(),
    focus_on_load: z.boolean().optional(),
  })
  .superRefine(initialOptionsOffered);

export const radioButtons = z
  .strictObject({
    type: z.literal('radio_buttons'),
    action_id: id.optional(),
    options: z.array(markedOption).min(1).max(limits.radioButtons.options),
    initial_option: markedOption.optional(),
    confirm: confirm.optional(),
    focus_on_load: z.boolean().optional(),
  })
  .superRefine(initialOptionsOffered);

export const overflow = z.strictObject({
  type: z.literal('overflow'),
  action_id: id.optional(),
  options: z.array(linkedOption).min(1).max(limits.overflow.options),
  confirm: confirm.optional(),
});
