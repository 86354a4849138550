import type { types } from '@slack/bolt';
import { z } from 'zod';
import { maxReasonChars } from '../../operations/define/arguments/reason.ts';
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

/** Schema of the modal's metadata: the confirmation, and where its card is. */
const metadataSchema = z.object({
  token: z.string(),
  expectedText: z.string(),
  alsoAccepted: z.array(z.string()).optional(),
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
  { token, expectedText, alsoAccepted, title, button: label, warning }: ConfirmationPayload,
  card: Omit<TypedConfirmationMetadata, 'token' | 'expectedText' | 'alsoAccepted'>,
): types.ModalView {
  return {
    type: 'modal',
    callback_id: typedConfirmationCallbackId,
    private_metadata: JSON.stringify({
      token,
      expectedText,
      alsoAccepted,
      ...card,
    } satisfies TypedConfirmationMetadata),
    title: plainText('Are you sure?', limits.viewTitleChars),
    submit: plainText(label, limits.viewTitleChars),
    close: plainText('Cancel', limits.viewTitleChars),
    blocks: [
      headingBlock(`${title}?`),
      ...noteBlocks(warning ? [warning] : []),
      {
        type: 'input',
        block_id: typedConfirmationBlockId,
        label: plainText(`Type ${expectedText} to confirm`, limits.labelChars),
        element: { type: 'plain_text_input', action_id: actionIds.value, focus_on_load: true },
      },
      {
        type: 'input',
        block_id: reasonBlockId,
        optional: true,
        label: plainText('Reason', limits.labelChars),
        hint: plainText('Everyone who sees the message or the activity log can read it.', limits.hintChars),
        element: { type: 'plain_text_input', action_id: actionIds.value, max_length: maxReasonChars },
      },
    ],
  };
}

export function parseTypedConfirmationMetadata(text: string): TypedConfirmationMetadata {
  return metadataSchema.parse(JSON.parse(text));
}
