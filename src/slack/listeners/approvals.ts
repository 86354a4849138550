import type { App } from '@slack/bolt';
import { actionIds } from '../actions.ts';
import { createOnClick } from '../clicks.ts';
import { renderProblem } from '../render/problem.ts';
import type { ListenerParts } from './parts.ts';

/** Listens to the buttons of the cards that ask a second person. The card itself tells what became of it; a problem is for who pressed. */
export function listenToApprovals(app: App, parts: ListenerParts): void {
  const { runner } = parts;
  const onClick = createOnClick(app, parts);
  const decisions = [
    [actionIds.approve, runner.approve],
    [actionIds.decline, runner.decline],
  ] as const;
  for (const [actionId, decide] of decisions) {
    onClick(actionId, async (token, { asker, reply }) => {
      const decision = await decide(token, asker);
      if (decision.kind === 'problem') await reply.tell(renderProblem(decision.problem));
    });
  }
}
