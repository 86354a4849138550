import { button, feedbackButtons, iconButton, workflowButton } from './elements/buttons.ts';
import { checkboxes, overflow, radioButtons } from './elements/choices.ts';
import { imageElement } from './elements/image.ts';
import * as inputs from './elements/inputs.ts';
import * as menus from './elements/menus.ts';
import { datepicker, datetimepicker, timepicker } from './elements/pickers.ts';
import { oneOf } from './one-of.ts';
import { elementSurfaces, type Surface } from './surfaces.ts';

const choosers = {
  channels_select: menus.channelsSelect,
  checkboxes,
  conversations_select: menus.conversationsSelect,
  datepicker,
  external_select: menus.externalSelect,
  multi_channels_select: menus.multiChannelsSelect,
  multi_conversations_select: menus.multiConversationsSelect,
  multi_external_select: menus.multiExternalSelect,
  multi_static_select: menus.multiStaticSelect,
  multi_users_select: menus.multiUsersSelect,
  radio_buttons: radioButtons,
  static_select: menus.staticSelect,
  timepicker,
  users_select: menus.usersSelect,
};

const pressables = { button, overflow, workflow_button: workflowButton };

/** What an actions block may hold. */
export function actionsElement(surface: Surface) {
  const kinds = { ...choosers, ...pressables, datetimepicker, rich_text_input: inputs.richTextInput };
  return oneOf(kinds, elementSurfaces, surface);
}

/** What a section may show beside its text. */
export function accessory(surface: Surface) {
  return oneOf({ ...choosers, ...pressables, image: imageElement }, elementSurfaces, surface);
}

/** What an input block may hold. */
export function inputElement(surface: Surface) {
  const kinds = {
    ...choosers,
    datetimepicker,
    email_text_input: inputs.emailTextInput,
    file_input: inputs.fileInput,
    number_input: inputs.numberInput,
    plain_text_input: inputs.plainTextInput,
    rich_text_input: inputs.richTextInput,
    url_text_input: inputs.urlTextInput,
  };
  return oneOf(kinds, elementSurfaces, surface);
}

/** What a context actions block may hold. */
export function contextActionsElement(surface: Surface) {
  return oneOf({ feedback_buttons: feedbackButtons, icon_button: iconButton }, elementSurfaces, surface);
}
