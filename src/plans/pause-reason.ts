/**
 * Why a plan is paused. `channel`: the app can't use its channel. `key`: the API key is missing or
 * rejected. `schedule`: its times can't be read. `creator`: its creator has left, or can't view its
 * VPS anymore. The others are of schedules: their creator has left, or lacks the right, or they were
 * not approved, or approved for other targets.
 */
const pauseReasons = [
  'person',
  'channel',
  'key',
  'schedule',
  'creator',
  'left',
  'denied',
  'unapproved',
  'approval',
] as const;

export type PauseReason = (typeof pauseReasons)[number];

/** Parses a stored reason. */
export function toPauseReason(stored: string | null): PauseReason {
  return pauseReasons.find((reason) => reason === stored) ?? 'person';
}

/** Returns a sentence that says why a plan is paused. */
export function formatPauseReason(reason: PauseReason, noun: string): string {
  switch (reason) {
    case 'person':
      return 'Someone paused it.';
    case 'channel':
      return `Its channel was archived or deleted, or I was removed from it. Run /invite @Rackhand there and resume the ${noun}, or edit it to use another channel.`;
    case 'key':
      return `The API key is missing, or the hosting service rejected it. Connect a key, then resume the ${noun}.`;
    case 'schedule':
      return `Its schedule can't be read anymore. Edit it, then resume the ${noun}.`;
    case 'creator':
      return `Its creator has left the workspace, or can't view all of its VPS anymore. Whoever resumes the ${noun} becomes its creator.`;
    case 'left':
      return 'The person who scheduled it is no longer a member of this workspace. Schedule it again in your own name.';
    case 'denied':
      return 'The person who scheduled it no longer has the right to do this.';
    case 'unapproved':
      return 'No one approved it in time. Schedule it again.';
    case 'approval':
      return 'Its targets have changed since it was approved. It needs a new approval.';
  }
}
