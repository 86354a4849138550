export interface QuotaTiming {
  /** Calls that take longer are aborted. */
  readonly callTimeoutMs: number;
  /**
   * Longest time between asking for a slot and sending. A process that was frozen for longer asks for
   * the slot again.
   */
  readonly startTimeoutMs: number;
  /** How long a call holds its slot after its response: the service's window plus a margin. */
  readonly holdMs: number;
  /** How long a slot stays in use if its process dies before the response. */
  readonly expirationMs: number;
}

/** Lower limit of the margin, because timers fire up to 1 ms early. Matters only for very short windows. */
const minMarginMs = 10;

/** Derives all durations of a quota from those that are configurable. */
export function createQuotaTiming({
  windowMs = 60_000,
  callTimeoutMs,
  startTimeoutMs = 15_000,
}: {
  /** The window of the service's quota. Defaults to 60 s, from the API document's part "Limits". */
  readonly windowMs?: number;
  readonly callTimeoutMs: number;
  readonly startTimeoutMs?: number;
}): QuotaTiming {
  const marginMs = Math.ceil(Math.max(minMarginMs, windowMs / 240));
  const holdMs = windowMs + marginMs;
  return { callTimeoutMs, startTimeoutMs, holdMs, expirationMs: startTimeoutMs + callTimeoutMs + holdMs };
}
