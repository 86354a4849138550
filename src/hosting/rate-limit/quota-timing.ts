export interface QuotaTiming {
  /** Length of the hosting service's quota window. */
  readonly windowMs: number;
  /** Added to each hold, because timers fire up to 1 ms early and network latency varies. */
  readonly marginMs: number;
  /** Calls that take longer are aborted. */
  readonly callTimeoutMs: number;
  /**
   * Longest time between getting a slot and sending. A process that was frozen for longer requests a
   * slot again.
   */
  readonly startTimeoutMs: number;
  /** How long a call holds its slot after its response. */
  readonly holdMs: number;
  /** How long after its request a slot stays occupied if its process dies. */
  readonly expirationMs: number;
}

/** Lower limit of the margin, because timers fire up to 1 ms early. Matters only for very short windows. */
const minMarginMs = 10;

/** Derives all durations of a quota from the four that are configurable. */
export function createQuotaTiming({
  windowMs = 60_000,
  marginMs: exactMarginMs = Math.max(minMarginMs, windowMs / 240),
  callTimeoutMs,
  startTimeoutMs = 2_000,
}: {
  readonly windowMs?: number;
  readonly marginMs?: number;
  readonly callTimeoutMs: number;
  readonly startTimeoutMs?: number;
}): QuotaTiming {
  // Redis takes whole milliseconds.
  const marginMs = Math.ceil(exactMarginMs);
  const holdMs = windowMs + marginMs;
  const expirationMs = startTimeoutMs + callTimeoutMs + holdMs + marginMs;
  return { windowMs, marginMs, callTimeoutMs, startTimeoutMs, holdMs, expirationMs };
}
