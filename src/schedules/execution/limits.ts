/** A time that is this late isn't made up for: a reboot must not happen in the middle of the morning. */
export const maxWaitMs = 15 * 60_000;

/** The message about work that would begin too late. */
export const lateText = "It couldn't begin within 15 minutes of its time, so nothing was done.";
