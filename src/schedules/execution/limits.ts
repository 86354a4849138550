/** A change that is this late is skipped: a nightly reboot must not happen during working hours. */
export const maxWaitMs = 15 * 60_000;

/** The result of a target that can't begin within `maxWaitMs`. */
export const lateText = "It couldn't begin within 15 minutes of its time, so nothing was done.";
