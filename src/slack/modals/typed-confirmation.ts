import type { App, types, ViewSubmitAction } from '@slack/bolt';
import { z } from 'zod';
import { maxReasonChars } from '../../operations/define/arguments/reason.ts';
import { snapshotFirstNote } from '../../runs/pipeline/confirmation/card-offers.ts';
import { matchesTypedConfirmation } from '../../runs/pipeline/confirmation/confirm.ts';
import { actionIds } from '../blocks/elements/action-ids.ts';
import { headingBlock, noteBlocks, warningBlocks } from '../blocks/elements/blocks.ts';
import { limits } from '../blocks/elements/limits.ts';
import { plainText } from '../blocks/elements/text.ts';
import { renderNotice } from '../blocks/notice.ts';
import {
  type ConfirmationPayload,
  parseConfirmationPayload,
  typedConfirmationActions,
} from '../blocks/typed-confirmation-button.ts';
import { toOrigin } from '../invocation.ts';
import { createInvocation } from '../listeners/invocation/create-invocation.ts';
import { type Click, createOnClick } from '../listeners/invocation/on-click.ts';
import type { ListenerDependencies } from '../listeners/listener-dependencies.ts';
import { openModal, triggerExpiredMessage } from './open-modal.ts';

/** Callback ID of the modal in which people type a confirmation. */
export const typedConfirmationCallbackId = 'typed-confirmation';

/** Block IDs of its fields. */
export const typedConfirmationBlockId = 'typed';
export const reasonBlockId = 'reason';

/** Schema of the modal's metadata: the confirmation, and the location of its card. */
const metadataSchema = z.object({
  token: z.string(),
  /** Undefined if nothing has to be typed. */
  expectedText: z.string().optional(),
  alsoAccepted: z.array(z.string()).optional(),
  /** Set if a reason must be given. */
  needsReason: z.literal(true).optional(),
  /** How many VPS of a batch are changed at a time. */
  atATime: z.number().optional(),
  /** Set if a snapshot is taken first. */
  snapshotFirst: z.literal(true).optional(),
  channel: z.string().optional(),
  threadTs: z.string().optional(),
  /** Response URL with which the card is replaced or removed. */
  cardUrl: z.string().optional(),
  /** The modal that shows the card. Set only if the card is in a modal. */
  cardView: z.object({ id: z.string(), title: z.string() }).optional(),
});

export type TypedConfirmationMetadata = z.infer<typeof metadataSchema>;

/** Builds the modal in which people type the confirmation text. */
export function buildTypedConfirmationView(
  { title, button: label, warning, ...payload }: ConfirmationPayload,
  card: Omit<TypedConfirmationMetadata, keyof ConfirmationPayload>,
): types.ModalView {
  const { expectedText } = payload;
  return {
    type: 'modal',
    callback_id: typedConfirmationCallbackId,
    private_metadata: JSON.stringify({ ...payload, ...card } satisfies TypedConfirmationMetadata),
    title: plainText('Are you sure?', limits.viewTitleChars),
    submit: plainText(label, limits.viewTitleChars),
    close: plainText('Cancel', limits.viewTitleChars),
    blocks: [
      headingBlock(`${title}?`),
      ...warningBlocks(warning),
      ...noteBlocks(payload.snapshotFirst ? [snapshotFirstNote] : []),
      ...(expectedText === undefined ? [] : [typedTextBlock(expectedText)]),
      {
        type: 'input',
        block_id: reasonBlockId,
        optional: !payload.needsReason,
        label: plainText('Reason', limits.labelChars),
        hint: plainText('Everyone who sees the message or the activity log can read it.', limits.hintChars),
        element: {
          type: 'plain_text_input',
          action_id: actionIds.value,
          max_length: maxReasonChars,
          focus_on_load: expectedText === undefined,
        },
      },
    ],
  };
}

function typedTextBlock(expectedText: string): types.InputBlock {
  return {
    type: 'input',
    block_id: typedConfirmationBlockId,
    label: plainText(`Type ${expectedText} to confirm`, limits.labelChars),
    element: { type: 'plain_text_input', action_id: actionIds.value, focus_on_load: true },
  };
}

export function parseTypedConfirmationMetadata(text: string): TypedConfirmationMetadata {
  return metadataSchema.parse(JSON.parse(text));
}

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
