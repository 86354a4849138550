export type QuotaTiming = ReturnType<typeof createQuotaTiming>;

/** Derives a quota's durations. The "Limits" section of the API document says that the window is 60 s. */
export function createQuotaTiming(callTimeoutMs: number, windowMs = 60_000) {
  /** How long after asking for a slot a call can be sent without asking again. */
  const startTimeoutMs = windowMs / 4;
  /**
   * How long a call holds its slot after its response: the service's window plus a margin. Timers fire up to
   * 1 ms early, which matters only for very short windows.
   */
  const holdMs = windowMs + Math.ceil(Math.max(10, windowMs / 240));
  /** How long a slot stays in use if its process dies before the response. */
  const expirationMs = startTimeoutMs + callTimeoutMs + holdMs;
  return { callTimeoutMs, startTimeoutMs, holdMs, expirationMs };
}
