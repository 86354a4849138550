import type { types, ViewOutput } from '@slack/bolt';
import { RackhandError } from '../../errors.ts';
import { actionIds } from '../blocks/elements/action-ids.ts';
import { limits } from '../blocks/elements/limits.ts';
import { plainText } from '../blocks/elements/text.ts';

interface Modal {
  readonly title: string;
  readonly blocks: types.ModalView['blocks'];
  readonly callbackId?: string;
  /** Label of the button that submits the modal. Without it, the modal only displays something. */
  readonly submit?: string | undefined;
  readonly close?: string;
  /** State that Slack sends back with each interaction, as JSON. */
  readonly metadata?: object;
}

/** Builds a modal within Slack's limits. Throws `input_invalid` if a form exceeds them. */
export function buildModal({
  title,
  blocks,
  callbackId,
  submit,
  close = submit === undefined ? 'Close' : 'Cancel',
  metadata,
}: Modal): types.ModalView {
  const label = (text: string) => plainText(text, limits.viewTitleChars);
  const private_metadata = metadata && JSON.stringify(metadata);
  const isTooLong = (private_metadata ?? '').length > limits.privateMetadataChars;
  if (isTooLong || (submit !== undefined && blocks.length > limits.viewBlocks))
    throw new RackhandError('input_invalid', "This form can't hold more rows.");
  return {
    type: 'modal',
    ...(callbackId !== undefined && { callback_id: callbackId }),
    ...(private_metadata !== undefined && { private_metadata }),
    title: label(title),
    ...(submit !== undefined && { submit: label(submit) }),
    close: label(close),
    blocks: blocks.slice(0, limits.viewBlocks),
  };
}

interface Field {
  readonly blockId: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isOptional?: boolean;
  readonly element: types.InputBlock['element'];
}

export function inputBlock({ blockId, label, hint, isOptional, element }: Field): types.InputBlock {
  return {
    type: 'input',
    block_id: blockId,
    ...(isOptional && { optional: true }),
    label: plainText(label, limits.labelChars),
    ...(hint && { hint: plainText(hint, limits.hintChars) }),
    element,
  };
}

/** Returns what a person entered in a field whose element has the action ID `value`. */
export function readField(
  { state }: Pick<ViewOutput, 'state'>,
  blockId: string,
): ViewOutput['state']['values'][string][string] | undefined {
  return state.values[blockId]?.[actionIds.value];
}
