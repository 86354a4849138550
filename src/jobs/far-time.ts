import { dayMs, minuteMs } from '../time/units.ts';

/**
 * A job that waits for a later time looks again at least this often, because a wrong clock can have
 * chosen the time.
 */
const lookAgainMs = dayMs;

/** How far ahead such a job can be due. The clocks of two processes can differ a little. */
export const maxAheadMs = lookAgainMs + minuteMs;

/** Returns when a job that waits until `atMs` looks again. */
export function lookAgainAt(atMs: number, nowMs: number): number {
  return Math.min(atMs, nowMs + lookAgainMs);
}

interface ChosenTime {
  readonly nextMs: number;
  readonly nowMs: number;
  /** When the schedule or report was created. */
  readonly createdMs: number;
  /** The last times that were executed, skipped or missed. */
  readonly handledMs: readonly (number | null)[];
}

/**
 * Returns `nextMs`, or the earlier time that is really the next one, if a clock that was ahead has
 * chosen `nextMs`. Handled times are not repeated. One that is more than `lookAgainMs` away doesn't
 * count, because a wrong clock has handled it. A clock that shows a time before the creation is
 * behind, so it corrects nothing.
 */
export function correctNextTime(
  { nextMs, nowMs, createdMs, handledMs }: ChosenTime,
  nextAfter: (afterMs: number) => number | null | undefined,
): number {
  if (nowMs < createdMs) return nextMs;
  const counting = handledMs.flatMap((atMs) => (atMs !== null && atMs <= nowMs + lookAgainMs ? [atMs] : []));
  const soonestMs = nextAfter(Math.max(nowMs, ...counting));
  return Math.min(nextMs, soonestMs ?? nextMs);
}
