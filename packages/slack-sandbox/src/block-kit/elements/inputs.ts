import { z } from 'zod';
import { once } from '../../once.ts';
import { dispatchActionConfig } from '../composition-objects.ts';
import { limits } from '../limits.ts';
import { richText } from '../rich-text.ts';
import { boundedString, id, plainText } from '../text-objects.ts';

const input = once(() => ({
  action_id: id().optional(),
  placeholder: plainText(limits.placeholderChars).optional(),
  dispatch_action_config: dispatchActionConfig().optional(),
  focus_on_load: z.boolean().optional(),
}));

const length = once(() => z.int().max(limits.plainTextInput.chars));

export const plainTextInput = once(() =>
  z
    .strictObject({
      type: z.literal('plain_text_input'),
      ...input(),
      initial_value: z.string().max(limits.plainTextInput.chars).optional(),
      multiline: z.boolean().optional(),
      min_length: length().min(0).optional(),
      max_length: length().min(1).optional(),
    })
    .refine(({ min_length = 0, max_length = Number.POSITIVE_INFINITY }) => min_length <= max_length, {
      path: ['min_length'],
      message: 'must be less than or equal to max_length',
    }),
);

export const emailTextInput = once(() =>
  z.strictObject({
    type: z.literal('email_text_input'),
    ...input(),
    initial_value: z.string().optional(),
  }),
);

export const urlTextInput = once(() =>
  z.strictObject({
    type: z.literal('url_text_input'),
    ...input(),
    initial_value: z.string().optional(),
  }),
);

const decimal = once(() => z.string().regex(/^-?\d+(\.\d+)?$/, 'must be a valid number'));

/** A number input. Its bounds and initial value are numbers written as text. */
export const numberInput = once(() =>
  z
    .strictObject({
      type: z.literal('number_input'),
      ...input(),
      is_decimal_allowed: z.boolean(),
      initial_value: decimal().optional(),
      min_value: decimal().optional(),
      max_value: decimal().optional(),
    })
    .superRefine(({ is_decimal_allowed, ...numbers }, context) => {
      const { initial_value, min_value, max_value } = numbers;
      const refuse = (field: keyof typeof numbers, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message });

      for (const field of ['initial_value', 'min_value', 'max_value'] as const) {
        if (!is_decimal_allowed && numbers[field]?.includes('.')) refuse(field, 'must be a whole number');
      }
      if (isAbove(min_value, max_value)) refuse('min_value', 'must be less than or equal to max_value');
      if (isAbove(min_value, initial_value) || isAbove(initial_value, max_value)) {
        refuse('initial_value', 'must be between min_value and max_value');
      }
    }),
);

function isAbove(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && Number(a) > Number(b);
}

const lines = once(() => z.int().min(1).max(limits.richTextInput.lines));

export const richTextInput = once(() =>
  z.strictObject({
    type: z.literal('rich_text_input'),
    ...input(),
    action_id: id(),
    initial_value: richText().optional(),
    min_lines: lines().optional(),
    max_lines: lines().optional(),
  }),
);

export const fileInput = once(() =>
  z.strictObject({
    type: z.literal('file_input'),
    action_id: id().optional(),
    filetypes: z.array(boundedString(limits.idChars)).min(1).optional(),
    max_files: z.int().min(1).max(limits.fileInput.files).optional(),
  }),
);
