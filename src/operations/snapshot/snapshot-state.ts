/** Matches the states in which a snapshot can be restored. In any other state, that may be impossible. */
const completeStates =
  /^(available|complete|completed|ready|ok|okay|active|success|successful|succeeded|done|finished)$/i;

const brokenStates = /fail|error|broken|corrupt|invalid|delet/i;

/**
 * Returns whether a state means that a snapshot is complete. Retention deletes older snapshots only if the
 * new one is complete.
 */
export function isComplete(state: string | undefined): boolean {
  return state !== undefined && completeStates.test(state.trim());
}

/** Returns whether a state means that a snapshot will never be complete. */
export function isBroken(state: string): boolean {
  return brokenStates.test(state);
}
