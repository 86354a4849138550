import type { Confirmation } from '../../operations/runs/answer.ts';
import { actionIds, button } from '../actions.ts';
import { typedButton } from '../form/typed-confirmation.ts';
import { buttonRow, factLines, heading, notes } from './blocks.ts';
import { fitMessage } from './fit.ts';
import type { Message } from './message.ts';
import { notificationText } from './text.ts';

/** Shows the card that asks whether to go on: the target, as it is now, and what the act does to it. */
export function renderConfirmation(confirmation: Confirmation): Message {
  const { token, title, button: label, warning, facts, typed, isAskedAgain, effect } = confirmation;
  const style = effect === 'destroy' ? 'danger' : 'primary';
  const go =
    typed === undefined ? button(actionIds.confirm, label, token, style) : typedButton(confirmation, typed);
  return {
    text: notificationText(`${title}?`),
    blocks: fitMessage([
      heading(`${title}?`),
      ...factLines(facts),
      ...notes([
        ...(isAskedAgain ? ['This has changed since you were asked: look again.'] : []),
        ...(warning ? [warning] : []),
      ]),
      ...buttonRow([go, button(actionIds.cancel, 'Cancel', token)]),
    ]),
  };
}
