import { z } from 'zod';
import { once } from '../../once.ts';
import { confirm } from '../composition-objects.ts';
import { limits } from '../limits.ts';
import { boundedString, id, plainText } from '../text-objects.ts';

const label = once(() => plainText(limits.button.textChars));
const value = once(() => z.string().max(limits.button.valueChars));
const accessibilityLabel = once(() => boundedString(limits.button.labelChars));
const style = once(() => z.enum(['primary', 'danger']));

export const button = once(() =>
  z.strictObject({
    type: z.literal('button'),
    action_id: id().optional(),
    text: label(),
    value: value().optional(),
    url: boundedString(limits.urlChars).optional(),
    style: style().optional(),
    confirm: confirm().optional(),
    accessibility_label: accessibilityLabel().optional(),
  }),
);

export const iconButton = once(() =>
  z.strictObject({
    type: z.literal('icon_button'),
    action_id: id().optional(),
    icon: z.enum(['trash']),
    text: label(),
    value: value().optional(),
    confirm: confirm().optional(),
    accessibility_label: accessibilityLabel().optional(),
    visible_to_user_ids: z.array(id()).optional(),
  }),
);

const feedbackButton = once(() =>
  z.strictObject({
    text: label(),
    value: value(),
    accessibility_label: accessibilityLabel().optional(),
  }),
);

export const feedbackButtons = once(() =>
  z.strictObject({
    type: z.literal('feedback_buttons'),
    action_id: id().optional(),
    positive_button: feedbackButton(),
    negative_button: feedbackButton(),
  }),
);

const trigger = once(() =>
  z.strictObject({
    url: boundedString(limits.urlChars),
    customizable_input_parameters: z
      .array(z.strictObject({ name: z.string(), value: z.unknown() }))
      .optional(),
  }),
);

export const workflowButton = once(() =>
  z.strictObject({
    type: z.literal('workflow_button'),
    action_id: id(),
    text: label(),
    workflow: z.strictObject({ trigger: trigger() }),
    style: style().optional(),
    accessibility_label: accessibilityLabel().optional(),
  }),
);
