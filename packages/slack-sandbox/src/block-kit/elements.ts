import { button, feedbackButtons, iconButton, workflowButton } from './elements/buttons.ts';
import { checkboxes, overflow, radioButtons } from './elements/choices.ts';
import { imageElement } from './elements/image.ts';
import * as inputs from './elements/inputs.ts';
import * as menus from './elements/menus.ts';
import { datepicker, datetimepicker, timepicker } from './elements/pickers.ts';
import { unionForSurface } from './surface-union.ts';
import { elementSurfaces, type Surface } from './surfaces.ts';

const inputElements = {
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

const buttonElements = { button, overflow, workflow_button: workflowButton };

/** Builds the schema for the elements of an actions block. */
export function actionsElement(surface: Surface) {
  const kinds = {
    ...inputElements,
    ...buttonElements,
    datetimepicker,
    rich_text_input: inputs.richTextInput,
  };
  return unionForSurface(kinds, elementSurfaces, surface);
}

/** Builds the schema for a section's accessory. */
export function accessory(surface: Surface) {
  return unionForSurface(
    { ...inputElements, ...buttonElements, image: imageElement },
    elementSurfaces,
    surface,
  );
}

/** Builds the schema for the element of an input block. */
export function inputElement(surface: Surface) {
  const kinds = {
    ...inputElements,
    datetimepicker,
    email_text_input: inputs.emailTextInput,
    file_input: inputs.fileInput,
    number_input: inputs.numberInput,
    plain_text_input: inputs.plainTextInput,
    rich_text_input: inputs.richTextInput,
    url_text_input: inputs.urlTextInput,
  };
  return unionForSurface(kinds, elementSurfaces, surface);
}

/** Builds the schema for the elements of a context actions block. */
export function contextActionsElement(surface: Surface) {
  return unionForSurface(
    { feedback_buttons: feedbackButtons, icon_button: iconButton },
    elementSurfaces,
    surface,
  );
}
