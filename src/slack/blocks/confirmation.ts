import type { Confirmation } from '../../runs/run-reply.ts';
import { actionIds } from './elements/action-ids.ts';
import { buttonRow, factLines, headingBlock, noteBlocks } from './elements/blocks.ts';
import { button } from './elements/buttons.ts';
import { fitMessage } from './elements/fit-message.ts';
import { notificationText } from './elements/text.ts';
import type { Message } from './message.ts';
import { typedConfirmationButton } from './typed-confirmation-button.ts';

/** Renders the confirmation card, which shows the target's current state and the effect of the operation. */
export function renderConfirmation(confirmation: Confirmation): Message {
  const { token, title, button: label, pace, warning, notes = [], facts, textToType, effect } = confirmation;
  const style = effect === 'destroy' ? 'danger' : 'primary';
  const confirmButton =
    textToType === undefined
      ? button(actionIds.confirm, label, token, style)
      : typedConfirmationButton(confirmation, textToType);
  return {
    text: notificationText(`${title}?`),
    blocks: fitMessage([
      headingBlock(`${title}?`),
      ...factLines(facts),
      ...noteBlocks([
        ...(confirmation.hasTargetChanged
          ? ['The target has changed since you were asked. Check it before you confirm.']
          : []),
        ...(warning ? [warning] : []),
        ...notes,
      ]),
      ...buttonRow([
        confirmButton,
        ...(pace ? [button(actionIds.confirmPace, pace.button, `${token}:${pace.atATime}`)] : []),
        button(actionIds.cancel, 'Cancel', token),
      ]),
    ]),
  };
}

/** Parses the value of the button that confirms a batch with a pace. */
export function parsePaceValue(value: string): { readonly token: string; readonly atATime: number } {
  const [token = '', atATime = ''] = value.split(':');
  return { token, atATime: Number(atATime) };
}
