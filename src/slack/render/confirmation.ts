import type { Confirmation } from '../../operations/answer.ts';
import { actionIds, button } from '../actions.ts';
import { buttonRow, factLines, heading, notes } from './blocks.ts';
import type { Message } from './message.ts';
import { clip, escapeText } from './text.ts';

/** Shows the card that asks whether to go on: the target, as it is now, and what the act does to it. */
export function renderConfirmation({
  runId,
  title,
  button: label,
  warning,
  facts,
  isAskedAgain,
}: Confirmation): Message {
  return {
    text: clip(escapeText(`${title}?`), 500),
    blocks: [
      heading(`${title}?`),
      ...factLines(facts),
      ...notes([
        ...(isAskedAgain ? ['This has changed since you were asked: look again.'] : []),
        ...(warning ? [warning] : []),
      ]),
      ...buttonRow([
        button(actionIds.confirm, label, runId, 'danger'),
        button(actionIds.cancel, 'Cancel', runId),
      ]),
    ],
  };
}
