import type { types } from '@slack/bolt';
import { RackhandError } from '../../error.ts';
import { needsConfirmation, type Operation } from '../../operations/operation.ts';
import type { RawInput } from '../../operations/outcome.ts';
import { limits } from '../render/limits.ts';
import { plain } from '../render/text.ts';
import { fieldBlocks } from './fields.ts';
import type { FormMetadata } from './metadata.ts';

/** Callback id of every form of an operation. */
export const formCallbackId = 'operation-form';

/** Builds the form of an operation, filled with what was given. */
export function formView(operation: Operation, raw: RawInput, metadata: FormMetadata): types.ModalView {
  const private_metadata = JSON.stringify(metadata);
  if (private_metadata.length > limits.privateMetadataChars) {
    throw new RackhandError('input_invalid', 'This form would have more rows than it can hold.');
  }
  const submit = operation.kind === 'change' ? operation.button : 'Show';
  return {
    type: 'modal',
    callback_id: formCallbackId,
    private_metadata,
    title: plain(operation.heading, limits.viewTitleChars),
    submit: plain(submit, limits.viewTitleChars),
    close: plain('Cancel', limits.viewTitleChars),
    blocks: [
      { type: 'context', elements: [plain(introduction(operation), limits.labelChars)] },
      ...Object.entries(operation.arguments).flatMap(([name, argument]) =>
        fieldBlocks(name, argument, raw[name], metadata.rows[name] ?? []),
      ),
    ],
  };
}

function introduction(operation: Operation): string {
  return needsConfirmation(operation)
    ? `${operation.summary}. You are asked once more before it happens.`
    : `${operation.summary}.`;
}
