import type { ReactNode } from 'react';
import type { Element } from '../block-shapes.ts';
import { Placeholder } from '../placeholder.tsx';
import { ButtonView, FeedbackButtonsView, IconButtonView, WorkflowButtonView } from './button.tsx';
import { CheckboxesView, RadioButtonsView } from './checkboxes-and-radios.tsx';
import { DatepickerView, DateTimepickerView, TimepickerView } from './date-time/date-time-pickers.tsx';
import type { ElementProps } from './element-props.ts';
import { FileInputView } from './file-input.tsx';
import { OverflowView } from './select/overflow-menu.tsx';
import { SelectMenuView } from './select/select-menu.tsx';
import { RichTextInputView } from './text/rich-text-input.tsx';
import { TextInputView } from './text/text-input.tsx';

/**
 * Shows an element of any kind. Its state is kept as long as the block, action and kind stay the
 * same.
 */
export function ElementView(placed: ElementProps<Element>): ReactNode {
  const { type, action_id: actionId } = placed.element;
  return <KindView key={`${type} ${placed.blockId} ${actionId}`} {...placed} />;
}

function KindView({ element, ...place }: ElementProps<Element>): ReactNode {
  switch (element.type) {
    case 'button':
      return <ButtonView element={element} {...place} />;
    case 'icon_button':
      return <IconButtonView element={element} {...place} />;
    case 'feedback_buttons':
      return <FeedbackButtonsView element={element} {...place} />;
    case 'workflow_button':
      return <WorkflowButtonView element={element} {...place} />;
    case 'overflow':
      return <OverflowView element={element} {...place} />;
    case 'checkboxes':
      return <CheckboxesView element={element} {...place} />;
    case 'radio_buttons':
      return <RadioButtonsView element={element} {...place} />;
    case 'datepicker':
      return <DatepickerView element={element} {...place} />;
    case 'timepicker':
      return <TimepickerView element={element} {...place} />;
    case 'datetimepicker':
      return <DateTimepickerView element={element} {...place} />;
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
      return <TextInputView element={element} {...place} />;
    case 'rich_text_input':
      return <RichTextInputView element={element} {...place} />;
    case 'file_input':
      return <FileInputView element={element} {...place} />;
    case 'static_select':
    case 'external_select':
    case 'users_select':
    case 'channels_select':
    case 'conversations_select':
    case 'multi_static_select':
    case 'multi_external_select':
    case 'multi_users_select':
    case 'multi_channels_select':
    case 'multi_conversations_select':
      return <SelectMenuView element={element} {...place} />;
    default:
      return <Placeholder block={element} />;
  }
}
