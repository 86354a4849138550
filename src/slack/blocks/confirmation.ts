import type { Confirmation } from '../../runs/run-reply.ts';
import { actionIds } from './elements/action-ids.ts';
import { buttonRow, factLines, headingBlock, noteBlocks } from './elements/blocks.ts';
import { button, withSpokenLabel } from './elements/buttons.ts';
import { fitMessage } from './elements/fit-message.ts';
import { notificationText } from './elements/text.ts';
import type { Message } from './message.ts';
import { typedConfirmationButton } from './typed-confirmation-button.ts';

/** Renders the confirmation card, which shows the target's current state and the effect of the operation. */
export function renderConfirmation(confirmation: Confirmation): Message {
  const { token, title, button: label, pace, warning, notes = [], facts, textToType, effect } = confirmation;
  const style = effect === 'destroy' ? 'danger' : 'primary';
  const spoken = (shown: string) => (title.startsWith(shown) ? title : `${shown}: ${title}`);
  const confirmButton =
    textToType === undefined
      ? withSpokenLabel(button(actionIds.confirm, label, token, style), spoken(label))
      : withSpokenLabel(typedConfirmationButton(confirmation, textToType), `${label}…: ${title}`);
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
        ...(pace
          ? [
              withSpokenLabel(
                button(actionIds.confirmPace, pace.button, `${token}:${pace.atATime}`),
                `${pace.button}: ${title}`,
              ),
            ]
          : []),
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
