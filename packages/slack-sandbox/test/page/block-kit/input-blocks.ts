import { input, plain } from '../../block-kit/samples.ts';

type Fields = Record<string, unknown>;

/** Returns an input block whose `block_id` and label are the same word. */
export const inputBlock = (name: string, element: Fields, more: Fields = {}) =>
  input({ action_id: 'it', ...element }, { block_id: name, label: plain(name), ...more });

export const plainTextInput = (more: Fields = {}) => ({ type: 'plain_text_input', ...more });
