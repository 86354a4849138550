export interface QuotaTiming {
  /** Length of the window that the hosting service counts in. */
  readonly windowMs: number;
  /** Added to every hold: timers fire up to 1 ms early, and calls do not travel equally fast. */
  readonly marginMs: number;
  /** Longest that a call may take; after that it is aborted. */
  readonly callTimeoutMs: number;
  /** Longest from asking for a slot to the departure in it; a process frozen meanwhile asks again. */
  readonly startTimeoutMs: number;
  /** How long a slot stays taken after its call was answered. */
  readonly holdMs: number;
  /** How long after its slot was asked for a call may count at most, should nothing be heard of it. */
  readonly expirationMs: number;
}

/** Timers fire up to 1 ms early, however short the window is. */
const leastMarginMs = 10;

/** Derives every duration of a quota from the four that can be set. */
export function createTiming({
  windowMs = 60_000,
  marginMs = Math.max(leastMarginMs, windowMs / 240),
  callTimeoutMs,
  startTimeoutMs = 2_000,
}: {
  readonly windowMs?: number;
  readonly marginMs?: number;
  readonly callTimeoutMs: number;
  readonly startTimeoutMs?: number;
}): QuotaTiming {
  const holdMs = windowMs + marginMs;
  const expirationMs = startTimeoutMs + callTimeoutMs + holdMs + marginMs;
  return { windowMs, marginMs, callTimeoutMs, startTimeoutMs, holdMs, expirationMs };
}
