import type { types, ViewOutput } from '@slack/bolt';
import { isRetryable, RackhandError } from '../../../errors.ts';
import { noteBlocks } from '../../blocks/elements/blocks.ts';
import { buildModal } from '../modal.ts';
import { parseFormMetadata } from './form-metadata.ts';

/** Adds a note to an open form that says why a select is empty. Returns undefined if the form already has the note. */
export function withLoadError(
  view: ViewOutput,
  blockId: string,
  error: unknown,
  canType: boolean,
): types.ModalView | undefined {
  const noteId = toNoteBlockId(blockId);
  if (view.blocks.some(({ block_id }) => block_id === noteId)) return undefined;
  const message =
    error instanceof RackhandError && error.code !== 'deadline_passed'
      ? error.message
      : 'The hosting service is slow to answer.';
  const canRetry = !(error instanceof RackhandError) || isRetryable(error.code);
  const orType = canRetry ? 'Open the list again in a moment, or type the name.' : 'Type the name instead.';
  const advice = canType ? orType : 'Open the list again in a moment.';
  const note = noteBlocks([`${message} ${advice}`]).map((block) => ({ ...block, block_id: noteId }));
  return mapBlocks(view, (block) => (block.block_id === blockId ? [block, ...note] : [block]));
}

/** Removes the note below a select once its options can be loaded again. Returns undefined if there is no note. */
export function withoutLoadError(view: ViewOutput, blockId: string): types.ModalView | undefined {
  const noteId = toNoteBlockId(blockId);
  if (!view.blocks.some(({ block_id }) => block_id === noteId)) return undefined;
  return mapBlocks(view, (block) => (block.block_id === noteId ? [] : [block]));
}

function toNoteBlockId(blockId: string): string {
  return `${blockId}:note`;
}

function mapBlocks(
  view: ViewOutput,
  change: (block: ViewOutput['blocks'][number]) => ViewOutput['blocks'],
): types.ModalView {
  const { callback_id: callbackId, title, submit } = view;
  return buildModal({
    title: title.text,
    callbackId,
    submit: submit?.text,
    metadata: parseFormMetadata(view.private_metadata),
    blocks: view.blocks.flatMap(change),
  });
}
