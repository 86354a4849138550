import type { Undo } from '../../../operations/define/outcome.ts';
import type { RunRequest } from '../../../runs/pipeline/run-context.ts';
import type { StepValue } from '../../blocks/elements/buttons.ts';

export const undoEndedMessage =
  'This change can no longer be undone with its button, which works for 15 minutes. Nothing was changed.';

/** Returns whether an undo button was clicked too late. */
export function hasUndoEnded(undo: Undo | undefined, clickedMs = Date.now()): boolean {
  return undo !== undefined && clickedMs > undo.untilMs;
}

/** The parts of a request besides its operation and its input. */
export type RequestOptions = Pick<RunRequest, 'isUncertain' | 'undoneState'>;

export function toRequestOptions({ isUncertain = false, undo }: StepValue): RequestOptions {
  return { isUncertain, ...(undo && { undoneState: undo.expectedState }) };
}
