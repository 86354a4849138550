export interface QuotaTiming {
  /** Calls that take longer are aborted. */
  readonly callTimeoutMs: number;
  /** A call that isn't sent this long after it asked for its slot asks again. */
  readonly startTimeoutMs: number;
  /** How long a call holds its slot after its response: the service's window plus a margin. */
  readonly holdMs: number;
  /** How long a slot stays in use if its process dies before the response. */
  readonly expirationMs: number;
}

/** Timers fire up to 1 ms early. Matters only for very short windows. */
const minMarginMs = 10;

/** Derives all durations of a quota. The API document's part "Limits" says that the window is 60 s. */
export function createQuotaTiming({
  windowMs = 60_000,
  callTimeoutMs,
  startTimeoutMs = 15_000,
}: {
  readonly windowMs?: number;
  readonly callTimeoutMs: number;
  readonly startTimeoutMs?: number;
}): QuotaTiming {
  const holdMs = windowMs + Math.ceil(Math.max(minMarginMs, windowMs / 240));
  return { callTimeoutMs, startTimeoutMs, holdMs, expirationMs: startTimeoutMs + callTimeoutMs + holdMs };
}
