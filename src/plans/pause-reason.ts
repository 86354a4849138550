/**
 * Why a plan is paused. `channel`: the app can't use its channel. `key`: the API key is missing or
 * rejected. `schedule`: its times can't be read. `creator`: its creator has left, or can't view its
 * VPS anymore.
 */
const pauseReasons = ['person', 'channel', 'key', 'schedule', 'creator'] as const;

export type PauseReason = (typeof pauseReasons)[number];

/** Parses a stored reason. */
export function toPauseReason(stored: string | null): PauseReason {
  return pauseReasons.find((reason) => reason === stored) ?? 'person';
}
