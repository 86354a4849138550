import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { actionIds } from '../actions.ts';
import { askingOfClick, clickKey } from '../asking-of-click.ts';
import { renderProblem } from '../render/problem.ts';
import type { ListenerParts } from './parts.ts';

/** Listens to the buttons of the cards that ask a second person. The card itself tells what became of it; a problem is for who pressed. */
export function listenToApprovals(app: App, { runner, clients, answering }: ListenerParts): void {
  const decisions = [
    [actionIds.approve, runner.approve],
    [actionIds.decline, runner.decline],
  ] as const;
  for (const [actionId, decide] of decisions) {
    app.action<BlockAction<ButtonAction>>(actionId, async ({ ack, body, action, context }) => {
      await ack();
      const { teamId } = context;
      const { value: token } = action;
      if (teamId === undefined || token === undefined) return;
      answering.later(
        clickKey(body),
        () => askingOfClick(body, teamId, clients),
        async ({ asker, reply }) => {
          const decision = await decide(token, asker);
          if (decision.kind === 'problem') await reply.tell(renderProblem(decision.problem));
        },
      );
    });
  }
}
