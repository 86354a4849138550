/** With PostgreSQL's time, the clock is corrected by a few ms now and then. */
const maxCorrectionMs = 1_000;

/** Returns how old a value is in ms. If the clock was set back since, nobody knows, so returns infinity. */
export function ageMsOf(atMs: number, nowMs: number): number {
  const ageMs = nowMs - atMs;
  return ageMs < -maxCorrectionMs ? Number.POSITIVE_INFINITY : ageMs;
}
