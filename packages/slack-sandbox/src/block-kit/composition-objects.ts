import { z } from 'zod';
import { once } from '../once.ts';
import { limits } from './limits.ts';
import { boundedString, httpUrl, id, plainText, textObject } from './text-objects.ts';

/**
 * Returns the arguments for `refine`, so that an object must have exactly one of two fields:
 * `schema.refine(...exactlyOneOf('url', 'id'))`.
 */
export function exactlyOneOf(a: string, b: string): [(value: object) => boolean, string] {
  return [
    (value) => Object.hasOwn(value, a) !== Object.hasOwn(value, b),
    `must define either \`${a}\` or \`${b}\``,
  ];
}

/** The dialog that asks for confirmation before an interaction is sent. */
export const confirm = once(() =>
  z.strictObject({
    title: plainText(limits.confirm.titleChars),
    text: textObject(limits.confirm.textChars),
    confirm: plainText(limits.confirm.buttonChars),
    deny: plainText(limits.confirm.buttonChars),
    style: z.enum(['primary', 'danger']).optional(),
  }),
);

/** An option of a select menu. Its texts are plain text. */
export const option = once(() =>
  z.strictObject({
    text: plainText(limits.option.textChars),
    value: boundedString(limits.option.valueChars),
    description: plainText(limits.option.descriptionChars).optional(),
  }),
);

/** An option of checkboxes or radio buttons, whose texts can contain markup. */
export const mrkdwnOption = once(() =>
  option().extend({
    text: textObject(limits.option.textChars),
    description: textObject(limits.option.descriptionChars).optional(),
  }),
);

/** An option of an overflow menu. Only this kind of option can have a `url`. */
export const overflowOption = once(() => option().extend({ url: boundedString(limits.urlChars).optional() }));

const optionGroup = once(() =>
  z.strictObject({
    label: plainText(limits.optionGroup.labelChars),
    options: z.array(option()).min(1).max(limits.optionGroup.options),
  }),
);

const options = once(() => z.array(option()).max(limits.menu.options));
const optionGroups = once(() => z.array(optionGroup()).max(limits.menu.groups));

/** The choices of a menu: either options or option groups. */
export const optionFields = once(() => ({
  options: options().min(1).optional(),
  option_groups: optionGroups().min(1).optional(),
}));

/** An app's response to a `block_suggestion`: options or option groups. They can be empty. */
export const optionsResponse = once(() =>
  z
    .strictObject({ options: options().optional(), option_groups: optionGroups().optional() })
    .refine(...exactlyOneOf('options', 'option_groups')),
);

const conversationTypes = once(() => z.enum(['im', 'mpim', 'private', 'public']));

/** Which conversations a conversations select lists. */
export const conversationFilter = once(() =>
  z
    .strictObject({
      include: z.array(conversationTypes()).min(1).optional(),
      exclude_external_shared_channels: z.boolean().optional(),
      exclude_bot_users: z.boolean().optional(),
    })
    .refine((filter) => Object.keys(filter).length > 0, 'must define at least one filter'),
);

const typingEvents = once(() => z.enum(['on_enter_pressed', 'on_character_entered']));

/** Which key presses in an input are sent to the app immediately. */
export const dispatchActionConfig = once(() =>
  z.strictObject({
    trigger_actions_on: z.array(typingEvents()).min(1).optional(),
  }),
);

const slackFile = once(() =>
  z
    .strictObject({ url: boundedString(limits.urlChars).optional(), id: id().optional() })
    .refine(...exactlyOneOf('url', 'id')),
);

/** The source of an image, and its alternative text. Refine with `exactlyOneSource`. */
export const imageSource = once(() => ({
  image_url: httpUrl().optional(),
  slack_file: slackFile().optional(),
  alt_text: boundedString(limits.altTextChars),
}));

/** The arguments for `refine`, so that an image must have exactly one source. */
export const exactlyOneSource = exactlyOneOf('image_url', 'slack_file');
