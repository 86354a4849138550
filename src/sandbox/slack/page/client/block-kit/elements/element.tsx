import type { ReactNode } from 'react';
import { Placeholder } from '../blocks/placeholder.tsx';
import type { Element } from '../shapes.ts';
import { ButtonView, FeedbackButtonsView, IconButtonView, WorkflowButtonView } from './button.tsx';
import { CheckboxesView, RadioButtonsView } from './choices.tsx';
import { FileInputView } from './file-input.tsx';
import { MenuView } from './menu.tsx';
import { OverflowView } from './overflow.tsx';
import { DatepickerView, DateTimepickerView, TimepickerView } from './pickers.tsx';
import type { Placed } from './placed.ts';
import { RichTextInputView } from './rich-text-input.tsx';
import { TextInputView } from './text-input.tsx';

/** Shows an element of any kind. As long as block, action and kind stay, it keeps what stands in it. */
export function ElementView(placed: Placed<Element>): ReactNode {
  const { type, action_id: actionId } = placed.element;
  return <KindView key={`${type} ${placed.blockId} ${actionId}`} {...placed} />;
}

function KindView({ element, ...place }: Placed<Element>): ReactNode {
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
      return <MenuView element={element} {...place} />;
    default:
      return <Placeholder block={element} />;
  }
}
