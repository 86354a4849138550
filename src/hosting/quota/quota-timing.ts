/** The durations of a quota. */
export type QuotaTiming = ReturnType<typeof createQuotaTiming>;

/** Derives all durations of a quota. The API document's part "Limits" says that the window is 60 s. */
export function createQuotaTiming(callTimeoutMs: number, windowMs = 60_000) {
  /** A call that isn't sent this long after it asked for its slot asks again. */
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
