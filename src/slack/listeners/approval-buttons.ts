import type { App } from '@slack/bolt';
import { actionIds } from '../blocks/elements/action-ids.ts';
import { renderProblem } from '../blocks/problem.ts';
import { createOnClick } from './invocation/on-click.ts';
import type { ListenerDependencies } from './listener-dependencies.ts';

/**
 * Handles the buttons of approval cards. The card shows the decision. A problem is sent to the
 * person who clicked.
 */
export function listenToApprovalButtons(app: App, dependencies: ListenerDependencies): void {
  const { runner } = dependencies;
  const onClick = createOnClick(app, dependencies);
  const decisions = [
    [actionIds.approve, runner.approve],
    [actionIds.decline, runner.decline],
  ] as const;
  for (const [actionId, decide] of decisions) {
    onClick(actionId, async (token, { actor: approver, reply, receivedMs: clickedMs }) => {
      const decision = await decide({ token, approver, clickedMs });
      if (decision.kind === 'problem') await reply.sendToActor(renderProblem(decision.problem));
    });
  }
}
