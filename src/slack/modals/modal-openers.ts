import type { RawInput } from '../../operations/define/arguments/raw-input.ts';
import type { Invocation } from '../invocation.ts';

/** The input that is already known, and whether it is complete. */
export interface ModalInput {
  readonly raw: RawInput;
  readonly isComplete: boolean;
}

/**
 * Opens an operation's own modal. Returns false if the operation should run instead, or if Slack
 * doesn't allow a modal, for example after a mention.
 */
export type ModalOpener = (invocation: Invocation, input: ModalInput) => Promise<boolean>;

/**
 * Modals that operations have instead of a form, by operation name. Their content is handled
 * separately and never becomes the input of a run. If no modal can be opened, the operation runs,
 * and its reply has a button that opens the modal.
 */
export type ModalOpeners = ReadonlyMap<string, ModalOpener>;
