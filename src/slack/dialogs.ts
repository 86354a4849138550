import type { RawInput } from '../operations/outcome.ts';
import type { Asking } from './asking.ts';

/** What was given already of an operation's input, and whether it is all that was to be given. */
export interface Given {
  readonly raw: RawInput;
  readonly isComplete: boolean;
}

/** Opens a dialog for who asks; answers `false` where none is wanted, or Slack lets none be opened, as after a mention. */
export type Dialog = (asking: Asking, given: Given) => Promise<boolean>;

/**
 * Dialogs of operations, by name, opened in place of a form: what is filled in there is handled by itself and never becomes the input of a run. Where
 * none can be opened the operation runs, and its answer has the button that opens it.
 */
export type Dialogs = ReadonlyMap<string, Dialog>;
