/** Maximum step back that is ignored. The clock follows PostgreSQL's, so small corrections are routine. */
const maxCorrectionMs = 1_000;

/** Returns whether the clock has been set back since it showed `atMs`. */
export function wasSetBack(atMs: number, nowMs: number): boolean {
  return nowMs < atMs - maxCorrectionMs;
}

/** Returns a value's age in ms, or Infinity if it's unknown because the clock was set back. */
export function ageMsOf(atMs: number, nowMs: number): number {
  return wasSetBack(atMs, nowMs) ? Number.POSITIVE_INFINITY : nowMs - atMs;
}
