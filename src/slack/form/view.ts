import type { types } from '@slack/bolt';
import { RackhandError } from '../../error.ts';
import { asksFirst, type Operation } from '../../operations/operation.ts';
import type { RawInput } from '../../operations/outcome.ts';
import { limits } from '../render/limits.ts';
import { plain } from '../render/text.ts';
import { parentNames } from './dependence.ts';
import { type Form, fieldBlocks } from './fields.ts';
import type { FormMetadata } from './metadata.ts';

/** Callback id of every form of an operation. */
export const formCallbackId = 'operation-form';

/** Builds the form of an operation, filled with what was given; `texts` are what people know chosen values by. */
export function formView(
  operation: Operation,
  raw: RawInput,
  metadata: FormMetadata,
  texts: Form['texts'] = {},
): types.ModalView {
  const { arguments: fields } = operation;
  const form = { fields, metadata, texts, parents: parentNames(fields) };
  const submit = operation.kind === 'change' ? operation.button : 'Show';
  return {
    type: 'modal',
    callback_id: formCallbackId,
    private_metadata: writeMetadata(metadata),
    title: plain(operation.heading, limits.viewTitleChars),
    submit: plain(submit, limits.viewTitleChars),
    close: plain('Cancel', limits.viewTitleChars),
    blocks: [
      { type: 'context', elements: [plain(introduction(operation), limits.labelChars)] },
      ...Object.entries(fields).flatMap(([name, argument]) => fieldBlocks(name, argument, raw[name], form)),
    ],
  };
}

function writeMetadata(metadata: FormMetadata): string {
  const text = JSON.stringify(metadata);
  if (text.length <= limits.privateMetadataChars) return text;
  throw new RackhandError('input_invalid', 'This form would have more rows than it can hold.');
}

function introduction(operation: Operation): string {
  return asksFirst(operation)
    ? `${operation.summary}. You are asked once more before it happens.`
    : `${operation.summary}.`;
}
