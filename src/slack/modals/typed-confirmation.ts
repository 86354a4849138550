import type { App, types, ViewSubmitAction } from '@slack/bolt';
import { z } from 'zod';
import { maxReasonChars } from '../../operations/define/arguments/reason.ts';
import { snapshotFirstNote } from '../../runs/pipeline/confirmation/card-offers.ts';
import { matchesTypedConfirmation } from '../../runs/pipeline/confirmation/confirm.ts';
import {
  type ConfirmationPayload,
  confirmationPayload,
  typedConfirmationActions,
} from '../blocks/confirmation.ts';
import { actionIds } from '../blocks/elements/action-ids.ts';
import { headingBlock, noteBlocks, warningBlocks } from '../blocks/elements/blocks.ts';
import { renderNotice } from '../blocks/notice.ts';
import { createInvocation, originSchema, toOrigin } from '../invocation.ts';
import { type Click, createOnClick } from '../listeners/invocation/on-click.ts';
import type { ListenerDependencies } from '../listeners/listener-dependencies.ts';
import { buildModal, inputBlock, readField } from './modal.ts';
import { openModal, triggerExpiredMessage } from './open-modal.ts';

const callbackId = 'typed-confirmation';

const typedBlockId = 'typed';
const reasonBlockId = 'reason';

/** The modal's metadata: the confirmation, and the location of its card. */
const metadataSchema = confirmationPayload
  .omit({ title: true, button: true, warning: true })
  .extend(originSchema.omit({ responseUrl: true }).shape)
  .extend({
    /** Response URL for replacing or removing the card. */
    cardUrl: z.string().optional(),
    /** The modal that shows the card. Set only if the card is in a modal. */
    cardView: z.object({ id: z.string(), title: z.string() }).optional(),
  });

type Metadata = z.infer<typeof metadataSchema>;

function buildView(
  { title, button: submit, warning, ...payload }: ConfirmationPayload,
  card: Omit<Metadata, keyof ConfirmationPayload>,
): types.ModalView {
  const { expectedText, needsReason, snapshotFirst } = payload;
  return buildModal({
    title: 'Are you sure?',
    callbackId,
    submit,
    metadata: { ...payload, ...card } satisfies Metadata,
    blocks: [
      headingBlock(`${title}?`),
      ...warningBlocks(warning),
      ...noteBlocks(snapshotFirst ? [snapshotFirstNote] : []),
      ...(expectedText === undefined
        ? []
        : [
            inputBlock({
              blockId: typedBlockId,
              label: `Type ${expectedText} to confirm`,
              element: { type: 'plain_text_input', action_id: actionIds.value, focus_on_load: true },
            }),
          ]),
      inputBlock({
        blockId: reasonBlockId,
        isOptional: !needsReason,
        label: 'Reason',
        hint: 'Everyone who sees the message or the activity log can read the reason.',
        element: {
          type: 'plain_text_input',
          action_id: actionIds.value,
          max_length: maxReasonChars,
          focus_on_load: expectedText === undefined,
        },
      }),
    ],
  });
}

/** Handles confirmations that need typed text. The card's button opens a modal, and submitting the modal confirms. */
export function listenToTypedConfirmations(app: App, dependencies: ListenerDependencies): void {
  const { dispatch, clients, invocationQueue } = dependencies;
  const onClick = createOnClick(app, dependencies);

  const openWindow = async (click: Click) => {
    const { value, origin, reply, clickedView } = click;
    const { responseUrl: cardUrl, ...location } = origin;
    const cardView = clickedView && { id: clickedView.id, title: clickedView.title.text };
    const card = { ...location, ...(cardUrl && { cardUrl }), ...(cardView && { cardView }) };
    const payload = confirmationPayload.parse(JSON.parse(value));
    const { isOpen } = await openModal(clients, click, buildView(payload, card));
    if (!isOpen) await reply.sendToActor(renderNotice(triggerExpiredMessage));
  };
  for (const actionId of typedConfirmationActions) onClick(actionId, openWindow);

  app.view<ViewSubmitAction>(callbackId, async ({ ack, body, view, context }) => {
    const metadata = metadataSchema.parse(JSON.parse(view.private_metadata));
    const { token, atATime, snapshotFirst, channel, threadTs, cardUrl, cardView } = metadata;
    const text = readField(view, typedBlockId)?.value ?? '';
    const reason = readField(view, reasonBlockId)?.value?.trim() ?? '';
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
  { expectedText, alsoAccepted = [], needsReason }: Metadata,
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
    ...(isMistyped && { [typedBlockId]: `This doesn't match ${expectedText}.` }),
    ...(reasonError && { [reasonBlockId]: reasonError }),
  };
}
