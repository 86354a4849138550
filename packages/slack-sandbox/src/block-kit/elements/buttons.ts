import { z } from 'zod';
import { confirm } from '../composition-objects.ts';
import { limits } from '../limits.ts';
import { boundedString, id, plainText } from '../text-objects.ts';

const label = plainText(limits.button.textChars);
const value = z.string().max(limits.button.valueChars);
const accessibilityLabel = boundedString(limits.button.labelChars);
const style = z.enum(['primary', 'danger']);

export const button = z.strictObject({
  type: z.literal('button'),
  action_id: id.optional(),
  text: label,
  value: value.optional(),
  url: boundedString(limits.urlChars).optional(),
  style: style.optional(),
  confirm: confirm.optional(),
  accessibility_label: accessibilityLabel.optional(),
});

export const iconButton = z.strictObject({
  type: z.literal('icon_button'),
  action_id: id.optional(),
  icon: z.enum(['trash']),
  text: label,
  value: value.optional(),
  confirm: confirm.optional(),
  accessibility_label: accessibilityLabel.optional(),
  visible_to_user_ids: z.array(id).optional(),
});

const feedbackButton = z.strictObject({
  text: label,
  value,
  accessibility_label: accessibilityLabel.optional(),
});

export const feedbackButtons = z.strictObject({
  type: z.literal('feedback_buttons'),
  action_id: id.optional(),
  positive_button: feedbackButton,
  negative_button: feedbackButton,
});

const trigger = z.strictObject({
  url: boundedString(limits.urlChars),
  customizable_input_parameters: z.array(z.strictObject({ name: z.string(), value: z.unknown() })).optional(),
});

export const workflowButton = z.strictObject({
  type: z.literal('workflow_button'),
  action_id: id,
  text: label,
  workflow: z.strictObject({ trigger }),
  style: style.optional(),
  accessibility_label: accessibilityLabel.optional(),
});
