import type { types, ViewOutput } from '@slack/bolt';
import { RackhandError } from '../../../errors.ts';
import type { Argument } from '../../../operations/define/arguments/argument.ts';
import type { Operation } from '../../../operations/define/operation.ts';
import { noteBlocks } from '../../blocks/elements/blocks.ts';
import { buildModal } from '../modal.ts';
import { findArgument, toFieldPath } from './block-id.ts';
import { fieldBlocks } from './field-blocks.ts';
import { listDispatchedFields } from './field-dependencies.ts';
import { parseFormMetadata } from './form-metadata.ts';

/**
 * Shows in an open form why a select is empty. If the API key isn't permitted to read the list, the
 * field becomes a text field. Other errors add a note below the field. Returns undefined if the
 * form already shows this. Block IDs don't change, so entered values are kept.
 */
export function withLoadError(
  view: ViewOutput,
  blockId: string,
  operation: Operation,
  error: unknown,
): types.ModalView | undefined {
  const argument = findArgument(operation.arguments, blockId);
  if (!argument) return undefined;
  if (
    error instanceof RackhandError &&
    (error.code === 'permission_missing' || error.code === 'access_denied')
  ) {
    return withManualEntry(view, blockId, argument, operation);
  }
  const noteId = toNoteBlockId(blockId);
  if (view.blocks.some(({ block_id }) => block_id === noteId)) return undefined;
  const message =
    error instanceof RackhandError && error.code !== 'deadline_passed'
      ? error.message
      : 'The hosting service is slow to answer.';
  const note = noteBlocks([`${message} Open the list again in a moment.`]).map((block) => ({
    ...block,
    block_id: noteId,
  }));
  return mapBlocks(view, (block) => (block.block_id === blockId ? [block, ...note] : [block]));
}

/**
 * Removes the note below a select once its options can be loaded again. Returns undefined if there
 * is no note.
 */
export function withoutLoadError(view: ViewOutput, blockId: string): types.ModalView | undefined {
  const noteId = toNoteBlockId(blockId);
  if (!view.blocks.some(({ block_id }) => block_id === noteId)) return undefined;
  return mapBlocks(view, (block) => (block.block_id === noteId ? [] : [block]));
}

function toNoteBlockId(blockId: string): string {
  return `${blockId}:note`;
}

function withManualEntry(
  view: ViewOutput,
  blockId: string,
  argument: Argument,
  operation: Operation,
): types.ModalView {
  const path = toFieldPath(blockId);
  const currentMetadata = parseFormMetadata(view.private_metadata);
  const metadata = { ...currentMetadata, manualEntry: [...currentMetadata.manualEntry, path] };
  const form = {
    fields: operation.arguments,
    metadata,
    choiceLabels: {},
    dispatchedFields: listDispatchedFields(operation),
  };
  const field = fieldBlocks(path, argument, undefined, form);
  return mapBlocks(view, (block) => (block.block_id === blockId ? field : [block]), metadata);
}

function mapBlocks(
  view: ViewOutput,
  change: (block: ViewOutput['blocks'][number]) => ViewOutput['blocks'],
  metadata = parseFormMetadata(view.private_metadata),
): types.ModalView {
  const { callback_id: callbackId, title, submit } = view;
  return buildModal({
    title: title.text,
    callbackId,
    submit: submit?.text,
    metadata,
    blocks: view.blocks.flatMap(change),
  });
}
