import type { types, ViewOutput } from '@slack/bolt';
import { RackhandError } from '../../error.ts';
import type { Argument } from '../../operations/argument.ts';
import type { Operation } from '../../operations/operation.ts';
import { notes } from '../render/blocks.ts';
import { argumentAt, pathOf } from './block-id.ts';
import { heardNames } from './dependence.ts';
import { fieldBlocks } from './fields.ts';
import { readMetadata } from './metadata.ts';

/**
 * Says in an open form why a select of it is empty, for a select itself has no place to: where the API key may not read the list, the field becomes one to write
 * into; in other trouble a note stands below it. Gives nothing where that has been said. Every block keeps its id, and with that what was filled in.
 */
export function withUnread(
  view: ViewOutput,
  blockId: string,
  operation: Operation,
  error: unknown,
): types.ModalView | undefined {
  const argument = argumentAt(operation.arguments, blockId);
  if (!argument) return undefined;
  if (error instanceof RackhandError && error.code === 'permission_missing') {
    return written(view, blockId, argument, operation);
  }
  const noteId = noteIdOf(blockId);
  if (view.blocks.some(({ block_id }) => block_id === noteId)) return undefined;
  const what =
    error instanceof RackhandError && error.code !== 'deadline_passed'
      ? error.message
      : 'The hosting service takes long to answer.';
  const note = notes([`${what} Open the list again in a moment.`]).map((block) => ({
    ...block,
    block_id: noteId,
  }));
  return changed(view, (block) => (block.block_id === blockId ? [block, ...note] : [block]));
}

/** Takes back what was said of a select that can be filled again. Gives nothing where nothing was said. */
export function withoutNote(view: ViewOutput, blockId: string): types.ModalView | undefined {
  const noteId = noteIdOf(blockId);
  if (!view.blocks.some(({ block_id }) => block_id === noteId)) return undefined;
  return changed(view, (block) => (block.block_id === noteId ? [] : [block]));
}

function noteIdOf(blockId: string): string {
  return `${blockId}:note`;
}

function written(
  view: ViewOutput,
  blockId: string,
  argument: Argument,
  operation: Operation,
): types.ModalView {
  const path = pathOf(blockId);
  const given = readMetadata(view.private_metadata);
  const metadata = { ...given, written: [...given.written, path] };
  const form = { fields: operation.arguments, metadata, texts: {}, heard: heardNames(operation) };
  const field = fieldBlocks(path, argument, undefined, form);
  return changed(view, (block) => (block.block_id === blockId ? field : [block]), metadata);
}

function changed(
  view: ViewOutput,
  change: (block: ViewOutput['blocks'][number]) => ViewOutput['blocks'],
  metadata = readMetadata(view.private_metadata),
): types.ModalView {
  const { callback_id, title, submit, close } = view;
  return {
    type: 'modal',
    callback_id,
    title,
    ...(submit && { submit }),
    ...(close && { close }),
    private_metadata: JSON.stringify({ ...metadata, edition: metadata.edition + 1 }),
    blocks: view.blocks.flatMap(change),
  };
}
