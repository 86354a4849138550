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

/** What a form shows beyond its fields. */
interface Beside {
  /** What people know chosen values by. */
  readonly texts?: Form['texts'] | undefined;
  /** What there is to say about it. */
  readonly notes?: readonly string[] | undefined;
  /** What it comes to. */
  readonly preview?: FormPreview | undefined;
}

/** Builds the form of an operation, filled with what was given. */
export function formView(
  operation: Operation,
  raw: RawInput,
  metadata: FormMetadata,
  { texts = {}, notes = [], preview }: Beside = {},
): types.ModalView {
  const { arguments: fields } = operation;
  const form = { fields, metadata, texts, heard: heardNames(operation) };
  const shown = Object.entries(shownFields(operation, metadata));
  const previewedAt = endOfPreviewed(
    operation,
    shown.map(([name]) => name),
  );
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
      ...(notes.length > 0 ? [mrkdwn(`⚠ ${notes.map(escapeText).join(' ')}`)] : []),
      ...shown.flatMap(([name, argument]) => [
        ...fieldBlocks(name, argument, raw[name], form),
        ...(preview && name === previewedAt ? previewBlocks(preview) : []),
      ]),
    ],
  };
}

/** Names the field below which a preview is seen while those are filled in that it is made of: the last of the first of them that stand together. */
function endOfPreviewed(operation: Operation, shown: readonly string[]): string | undefined {
  const previewed = operation.kind === 'own' ? operation.form?.preview?.of : undefined;
  const isPreviewed = (name: string) => previewed?.includes(name) === true;
  return (
    shown.find((name, index) => isPreviewed(name) && !isPreviewed(shown[index + 1] ?? '')) ?? shown.at(-1)
  );
}

function previewBlocks({ heading, lines }: FormPreview): types.KnownBlock[] {
  const text = [`*${escapeText(heading)}*`, ...lines.map(escapeText)].join('\n');
  return [{ ...mrkdwn(text), block_id: 'preview' }, { type: 'divider' }];
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
