/** Smaller steps back are routine corrections, because the clock follows PostgreSQL's. */
const maxCorrectionMs = 1_000;

/** Returns whether the clock has been set back since it showed `atMs`. */
export function wasSetBack(atMs: number, nowMs: number): boolean {
  return nowMs < atMs - maxCorrectionMs;
}

/** Returns the age of a value in ms, or Infinity if it's unknown because the clock was set back. */
export function ageMsOf(atMs: number, nowMs: number): number {
  return wasSetBack(atMs, nowMs) ? Number.POSITIVE_INFINITY : nowMs - atMs;
}
