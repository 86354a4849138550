/** With PostgreSQL's time, the clock is corrected by a few ms now and then. */
const maxCorrectionMs = 1_000;

/** Returns whether the clock was set back since it showed `atMs`. */
export function wasSetBack(atMs: number, nowMs: number): boolean {
  return nowMs < atMs - maxCorrectionMs;
}

/** Returns how old a value is in ms, or infinity if that is unknown because the clock was set back. */
export function ageMsOf(atMs: number, nowMs: number): number {
  return wasSetBack(atMs, nowMs) ? Number.POSITIVE_INFINITY : nowMs - atMs;
}
