/**
 * Why a report or watch is paused. `channel`: the app can't use its channel. `key`: the API key is
 * missing or rejected. `schedule`: the schedule can't be read.
 */
const pauseReasons = ['person', 'channel', 'key', 'schedule'] as const;

export type PauseReason = (typeof pauseReasons)[number];

/** Parses a stored reason. */
export function toPauseReason(stored: string | null): PauseReason {
  return pauseReasons.find((reason) => reason === stored) ?? 'person';
}
