import type { types } from '@slack/bolt';
import type { RawInput } from '../../../operations/define/arguments/raw-input.ts';
import { requiresConfirmation } from '../../../operations/define/inspect-operation.ts';
import type { FormPreview, Operation } from '../../../operations/define/operation.ts';
import { mrkdwn } from '../../blocks/elements/blocks.ts';
import { limits } from '../../blocks/elements/limits.ts';
import { escapeText, plainText } from '../../blocks/elements/text.ts';
import { buildModal } from '../modal.ts';
import { type FormContext, fieldBlocks } from './field-blocks.ts';
import { listDispatchedFields, listVisibleFields } from './field-dependencies.ts';
import type { FormMetadata } from './form-metadata.ts';

export const formCallbackId = 'operation-form';

interface FormExtras {
  readonly choiceLabels?: FormContext['choiceLabels'] | undefined;
  /** Warnings above the fields. */
  readonly notes?: readonly string[] | undefined;
  readonly preview?: FormPreview | undefined;
}

export function buildFormView(
  operation: Operation,
  raw: RawInput,
  metadata: FormMetadata,
  { choiceLabels = {}, notes = [], preview }: FormExtras = {},
): types.ModalView {
  const { arguments: fields } = operation;
  const form = { fields, metadata, choiceLabels, dispatchedFields: listDispatchedFields(operation) };
  const visibleFields = Object.entries(listVisibleFields(operation, metadata));
  const previewPosition = findPreviewPosition(
    operation,
    visibleFields.map(([name]) => name),
  );
  const submit = operation.kind === 'read' ? 'Show' : operation.button;
  return buildModal({
    title: operation.heading,
    callbackId: formCallbackId,
    submit,
    metadata,
    blocks: withFocus([
      { type: 'context', elements: [plainText(formatIntroduction(operation), limits.labelChars)] },
      ...(notes.length > 0 ? [mrkdwn(`⚠️ ${notes.map(escapeText).join(' ')}`)] : []),
      ...visibleFields.flatMap(([name, argument]) => [
        ...fieldBlocks(name, argument, raw[name], form),
        ...(preview && name === previewPosition ? previewBlocks(preview) : []),
      ]),
    ]),
  });
}

/**
 * Focuses the first empty field, required ones first. By default, Slack focuses the first field even if it's
 * prefilled.
 */
function withFocus(blocks: readonly types.KnownBlock[]): types.KnownBlock[] {
  const inputs = blocks.filter((block) => block.type === 'input');
  const empty = inputs.filter(
    ({ element }) => !Object.keys(element).some((key) => key.startsWith('initial_')),
  );
  const focused = empty.find(({ optional }) => !optional) ?? empty[0];
  if (focused === undefined || focused === inputs[0]) return [...blocks];
  return blocks.map((block) =>
    block === focused ? { ...focused, element: { ...focused.element, focus_on_load: true } } : block,
  );
}

/**
 * Returns the field below which the preview is shown: the last field in the first group of adjacent fields
 * that the preview depends on.
 */
function findPreviewPosition(operation: Operation, visibleFields: readonly string[]): string | undefined {
  const previewed = operation.kind === 'local' ? operation.form?.preview?.dependsOn : undefined;
  const isPreviewed = (name: string) => previewed?.includes(name) === true;
  return (
    visibleFields.find((name, index) => isPreviewed(name) && !isPreviewed(visibleFields[index + 1] ?? '')) ??
    visibleFields.at(-1)
  );
}

function previewBlocks({ heading, lines }: FormPreview): types.KnownBlock[] {
  const text = [`*${escapeText(heading)}*`, ...lines.map(escapeText)].join('\n');
  return [{ ...mrkdwn(text), block_id: 'preview' }, { type: 'divider' }];
}

function formatIntroduction(operation: Operation): string {
  return requiresConfirmation(operation)
    ? `${operation.summary}. You'll be asked to confirm before anything happens.`
    : `${operation.summary}.`;
}
