import type { Problem } from '../../operations/runs/problem.ts';
import { buttonRow, factLines, heading, mrkdwn, stepButtons } from './blocks.ts';
import { fitMessage } from './fit.ts';
import type { Message } from './message.ts';
import { escapeText, notificationText } from './text.ts';

/** Shows what happened, what was changed, and what to do. */
export function renderProblem(problem: Problem): Message {
  return {
    text: notificationText(`${problem.what} ${problem.changed}`),
    blocks: fitMessage([
      heading(`⚠️ ${problem.what}`),
      ...problemBlocks(problem),
      ...buttonRow(stepButtons(problem.steps)),
    ]),
  };
}

/** Writes all of a problem but what happened and the buttons. */
export function problemBlocks({ serviceSays, changed, next, facts = [] }: Problem) {
  const words = serviceSays ? [`The service says: “${escapeText(serviceSays)}”`] : [];
  return [mrkdwn([...words, escapeText(changed), escapeText(next)].join('\n')), ...factLines(facts)];
}
