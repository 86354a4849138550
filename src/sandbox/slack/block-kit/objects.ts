import { z } from 'zod';
import { limits } from './limits.ts';
import { chars, httpUrl, id, plainText, textObject } from './text.ts';

/** Refines an object to have exactly one of two fields: `schema.refine(...eitherOf('url', 'id'))`. */
export function eitherOf(a: string, b: string): [(value: object) => boolean, string] {
  return [
    (value) => Object.hasOwn(value, a) !== Object.hasOwn(value, b),
    `must define either \`${a}\` or \`${b}\``,
  ];
}

/** The dialog that asks before an interaction is sent. */
export const confirm = z.strictObject({
  title: plainText(limits.confirm.titleChars),
  text: textObject(limits.confirm.textChars),
  confirm: plainText(limits.confirm.buttonChars),
  deny: plainText(limits.confirm.buttonChars),
  style: z.enum(['primary', 'danger']).optional(),
});

/** An option of a select menu: plain text only. */
export const option = z.strictObject({
  text: plainText(limits.option.textChars),
  value: chars(limits.option.valueChars),
  description: plainText(limits.option.descriptionChars).optional(),
});

/** An option of checkboxes or radio buttons, which may carry markup. */
export const markedOption = option.extend({
  text: textObject(limits.option.textChars),
  description: textObject(limits.option.descriptionChars).optional(),
});

/** An option of an overflow menu, the only kind that may open a page. */
export const linkedOption = option.extend({ url: chars(limits.urlChars).optional() });

const optionGroup = z.strictObject({
  label: plainText(limits.optionGroup.labelChars),
  options: z.array(option).min(1).max(limits.optionGroup.options),
});

const options = z.array(option).max(limits.menu.options);
const optionGroups = z.array(optionGroup).max(limits.menu.groups);

/** What a menu offers, in one of two forms. */
export const optionLists = {
  options: options.min(1).optional(),
  option_groups: optionGroups.min(1).optional(),
};

/** What an app answers to a menu that asks: in one of two forms too, and it may find nothing. */
export const optionsAnswer = z
  .strictObject({ options: options.optional(), option_groups: optionGroups.optional() })
  .refine(...eitherOf('options', 'option_groups'));

const conversationTypes = z.enum(['im', 'mpim', 'private', 'public']);

/** Which conversations a conversations select offers. */
export const conversationFilter = z
  .strictObject({
    include: z.array(conversationTypes).min(1).optional(),
    exclude_external_shared_channels: z.boolean().optional(),
    exclude_bot_users: z.boolean().optional(),
  })
  .refine((filter) => Object.keys(filter).length > 0, 'must define at least one filter');

const typingEvents = z.enum(['on_enter_pressed', 'on_character_entered']);

/** Which typing in an input is sent to the app at once. */
export const dispatchActionConfig = z.strictObject({
  trigger_actions_on: z.array(typingEvents).min(1).optional(),
});

const slackFile = z
  .strictObject({ url: chars(limits.urlChars).optional(), id: id.optional() })
  .refine(...eitherOf('url', 'id'));

/** Where an image comes from, and what it says to whoever cannot see it. To be refined with `oneSource`. */
export const imageSource = {
  image_url: httpUrl.optional(),
  slack_file: slackFile.optional(),
  alt_text: chars(limits.altTextChars),
};

/** Refines an image to come from one place. */
export const oneSource = eitherOf('image_url', 'slack_file');
