import type { App } from '@slack/bolt';
import type { SecondPerson } from '../../auth/second-person/second-person.ts';
import { actionIds } from '../blocks/elements/action-ids.ts';
import { renderNotice } from '../blocks/notice.ts';
import { createOnClick } from './invocation/on-click.ts';
import type { ListenerDependencies } from './listener-dependencies.ts';

const goneMessage = 'This was decided already, or has expired.';

/** Handles Approve and Decline on the cards of acts that need a second person. */
export function listenToPendingActButtons(
  app: App,
  dependencies: ListenerDependencies & { readonly secondPerson: SecondPerson },
): void {
  const onClick = createOnClick(app, dependencies);
  const decisions = [
    [actionIds.approveAct, 'approved'],
    [actionIds.declineAct, 'declined'],
  ] as const;
  for (const [actionId, kind] of decisions) {
    onClick(actionId, async (click) => {
      const { value: id, reply } = click;
      const result = await dependencies.secondPerson.decide(id, kind, click);
      if (result.kind === 'problem')
        await dependencies.invocationQueue.refuseClick(
          click,
          kind === 'approved' ? 'approve' : 'decline',
          result.problem,
        );
      if (result.kind === 'gone') await reply.sendToActor(renderNotice(goneMessage));
    });
  }
}
