import type { Problem } from '../../runs/problem.ts';
import { buttonRow, factLines, headingBlock, mrkdwn, stepButtons } from './elements/blocks.ts';
import { fitMessage } from './elements/fit-message.ts';
import { escapeText, notificationText } from './elements/text.ts';
import type { Message } from './message.ts';

/** Renders a problem: what happened, what was changed, and what the person can do. */
export function renderProblem(problem: Problem): Message {
  return {
    text: notificationText(`${problem.message} ${problem.changed}`),
    blocks: fitMessage([
      headingBlock(`⚠️ ${problem.message}`),
      ...problemBlocks(problem),
      ...buttonRow(stepButtons(problem.nextSteps, problem.message)),
    ]),
  };
}

/** Returns a problem's blocks, except its heading and buttons. */
export function problemBlocks({ serviceMessage, changed, advice, facts = [] }: Problem) {
  const serviceLine = serviceMessage ? [`The service says: “${escapeText(serviceMessage)}”`] : [];
  return [mrkdwn([...serviceLine, escapeText(changed), escapeText(advice)].join('\n')), ...factLines(facts)];
}
