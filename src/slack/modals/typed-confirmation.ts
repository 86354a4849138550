import type { types } from '@slack/bolt';
import { z } from 'zod';
import { maxReasonChars } from '../../operations/define/arguments/reason.ts';
import { snapshotFirstNote } from '../../runs/snapshot-first/snapshot-first.ts';
import { actionIds } from '../blocks/elements/action-ids.ts';
import { headingBlock, noteBlocks } from '../blocks/elements/blocks.ts';
import { limits } from '../blocks/elements/limits.ts';
import { plainText } from '../blocks/elements/text.ts';
import type { ConfirmationPayload } from '../blocks/typed-confirmation-button.ts';

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
      ...noteBlocks([...(warning ? [warning] : []), ...(payload.snapshotFirst ? [snapshotFirstNote] : [])]),
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
