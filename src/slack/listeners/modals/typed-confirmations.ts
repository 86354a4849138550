import type { App, ViewSubmitAction } from '@slack/bolt';
import { maxReasonChars } from '../../../operations/define/arguments/reason.ts';
import { matchesTypedConfirmation } from '../../../runs/pipeline/confirmation/typed-confirmation.ts';
import { actionIds } from '../../blocks/elements/action-ids.ts';
import { renderNotice } from '../../blocks/notice.ts';
import {
  parseConfirmationPayload,
  typedConfirmationActions,
} from '../../blocks/typed-confirmation-button.ts';
import { toOrigin } from '../../invocation.ts';
import { openModal, triggerExpiredMessage } from '../../modals/open-modal.ts';
import {
  buildTypedConfirmationView,
  parseTypedConfirmationMetadata,
  reasonBlockId,
  type TypedConfirmationMetadata,
  typedConfirmationBlockId,
  typedConfirmationCallbackId,
} from '../../modals/typed-confirmation.ts';
import { createInvocation } from '../invocation/create-invocation.ts';
import { type Click, createOnClick } from '../invocation/on-click.ts';
import type { ListenerDependencies } from '../listener-dependencies.ts';

/**
 * Handles confirmations for which people must type something. The card's button opens a modal, and
 * submitting the modal confirms.
 */
export function listenToTypedConfirmations(app: App, dependencies: ListenerDependencies): void {
  const { dispatch, clients, invocationQueue } = dependencies;
  const onClick = createOnClick(app, dependencies);

  const openWindow = async (click: Click) => {
    const { value, origin, reply, clickedView } = click;
    const { responseUrl: cardUrl, ...location } = origin;
    const cardView = clickedView && { id: clickedView.id, title: clickedView.title.text };
    const card = { ...location, ...(cardUrl && { cardUrl }), ...(cardView && { cardView }) };
    const isOpen = await openModal(
      clients,
      click,
      buildTypedConfirmationView(parseConfirmationPayload(value), card),
    );
    if (!isOpen) await reply.sendToActor(renderNotice(triggerExpiredMessage));
  };
  for (const actionId of typedConfirmationActions) onClick(actionId, openWindow);

  app.view<ViewSubmitAction>(typedConfirmationCallbackId, async ({ ack, body, view, context }) => {
    const metadata = parseTypedConfirmationMetadata(view.private_metadata);
    const { token, atATime, snapshotFirst, channel, threadTs, cardUrl, cardView } = metadata;
    const { values } = view.state;
    const text = values[typedConfirmationBlockId]?.[actionIds.value]?.value ?? '';
    const reason = values[reasonBlockId]?.[actionIds.value]?.value?.trim() ?? '';
    const errors = findErrors(metadata, text, reason);
    if (Object.keys(errors).length > 0) return ack({ response_action: 'errors', errors });
    await ack();
    const { teamId } = context;
    if (teamId === undefined) return;
    const invocation = createInvocation(clients, {
      actor: { teamId, userId: body.user.id },
      origin: toOrigin({ channel, threadTs, responseUrl: undefined }),
      requestKey: `typed:${view.id}`,
      isClick: true,
      view: cardView,
      clickedUrl: cardUrl,
    });
    invocationQueue.enqueueOnce(invocation, (received) =>
      dispatch.confirm({ ...received, value: token }, { typed: text, reason, atATime, snapshotFirst }),
    );
  });
}

/** Returns the errors in the typed text and the reason, by block ID. */
function findErrors(
  { expectedText, alsoAccepted = [], needsReason }: TypedConfirmationMetadata,
  text: string,
  reason: string,
): Record<string, string> {
  const isMistyped =
    expectedText !== undefined && !matchesTypedConfirmation([expectedText, ...alsoAccepted], text);
  const reasonError =
    reason.length > maxReasonChars
      ? `Use at most ${maxReasonChars} characters.`
      : needsReason && reason === ''
        ? 'Give a reason.'
        : undefined;
  return {
    ...(isMistyped && { [typedConfirmationBlockId]: `This doesn't match ${expectedText}.` }),
    ...(reasonError && { [reasonBlockId]: reasonError }),
  };
}
