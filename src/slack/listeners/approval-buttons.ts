import type { App } from '@slack/bolt';
import { actionIds } from '../blocks/elements/action-ids.ts';
import { noteBlocks } from '../blocks/elements/blocks.ts';
import type { Message } from '../blocks/message.ts';
import { notifyIfSlow, untilNoticeMs } from '../messages/progress-message.ts';
import { createOnClick } from './invocation/on-click.ts';
import type { ListenerDependencies } from './listener-dependencies.ts';

const checkingNotice = '⏳ Approved. Checking the target once more before anything is sent…';

/**
 * Handles the buttons of approval cards. The card then shows the decision. A problem is sent to the
 * person who clicked.
 */
export function listenToApprovalButtons(app: App, dependencies: ListenerDependencies): void {
  const { runner, invocationQueue, workingNoticeMs, now } = dependencies;
  const onClick = createOnClick(app, dependencies);
  onClick(actionIds.decline, async (click) => {
    const { value: token, actor: approver, receivedMs: clickedMs } = click;
    const decision = await runner.decline({ token, approver, clickedMs });
    if (decision.kind === 'problem') await invocationQueue.refuseClick(click, 'decline', decision.problem);
  });

  onClick(actionIds.approve, async (click) => {
    const { value: token, actor: approver, reply, receivedMs: clickedMs, clickedMessage: message } = click;
    let isChanged = false;
    const decision = await runner.approve({
      token,
      approver,
      clickedMs,
      showChecking: (check) =>
        notifyIfSlow(check, untilNoticeMs(clickedMs, workingNoticeMs, now()), async () => {
          if (!message || !(await runner.ownApproval(token))) return;
          isChanged = true;
          await reply.replace(withoutButtons(message, checkingNotice));
        }),
    });
    // The card of a decided run has already been updated.
    const isUndecided = decision.kind === 'problem' || decision.kind === 'handedOver';
    if (isUndecided && isChanged && message) await reply.replace(message);
    if (decision.kind === 'problem') await invocationQueue.refuseClick(click, 'approve', decision.problem);
  });
}

/** Returns a message with small print instead of its buttons. */
function withoutButtons({ text, blocks }: Message, note: string): Message {
  return { text, blocks: [...blocks.filter(({ type }) => type !== 'actions'), ...noteBlocks([note])] };
}
