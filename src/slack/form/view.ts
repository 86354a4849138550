import type { types } from '@slack/bolt';
import { RackhandError } from '../../error.ts';
import { asksFirst, type FormPreview, type Operation } from '../../operations/operation.ts';
import type { RawInput } from '../../operations/outcome.ts';
import { mrkdwn } from '../render/blocks.ts';
import { limits } from '../render/limits.ts';
import { escapeText, plain } from '../render/text.ts';
import { heardNames, shownFields } from './dependence.ts';
import { type Form, fieldBlocks } from './fields.ts';
import type { FormMetadata } from './metadata.ts';

/** Callback id of every form of an operation. */
export const formCallbackId = 'operation-form';

/** Builds the form of an operation, filled with what was given; `texts` are what people know chosen values by, and the preview is what it comes to. */
export function formView(
  operation: Operation,
  raw: RawInput,
  metadata: FormMetadata,
  texts: Form['texts'] = {},
  preview?: FormPreview,
): types.ModalView {
  const { arguments: fields } = operation;
  const form = { fields, metadata, texts, heard: heardNames(operation) };
  const shown = Object.entries(shownFields(operation, metadata));
  const submit = operation.kind === 'read' ? 'Show' : operation.button;
  return {
    type: 'modal',
    callback_id: formCallbackId,
    private_metadata: writeMetadata(metadata),
    title: plain(operation.heading, limits.viewTitleChars),
    submit: plain(submit, limits.viewTitleChars),
    close: plain('Cancel', limits.viewTitleChars),
    blocks: [
      { type: 'context', elements: [plain(introduction(operation), limits.labelChars)] },
      ...shown.flatMap(([name, argument]) => fieldBlocks(name, argument, raw[name], form)),
      ...(preview ? previewBlocks(preview) : []),
    ],
  };
}

function previewBlocks({ heading, lines }: FormPreview): types.KnownBlock[] {
  const text = [`*${escapeText(heading)}*`, ...lines.map(escapeText)].join('\n');
  return [{ type: 'divider' }, { ...mrkdwn(text), block_id: 'preview' }];
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
