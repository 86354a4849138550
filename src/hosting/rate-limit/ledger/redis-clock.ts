/** Compares the clock of Redis with a clock of this process that never jumps. */
export interface RedisClock {
  /**
   * Takes a time that Redis read between two times of this process. Returns whether the clock of
   * Redis has jumped ahead since the last reading: slots would then be free too early.
   */
  hasJumped(redisMs: number, askedAtMs: number, repliedAtMs: number): boolean;
}

/** How much faster than this process's clock the clock of Redis can run without a jump. */
const maxDrift = 0.001;

/** `toleranceMs`: smaller jumps are harmless. */
export function createRedisClock(toleranceMs: number): RedisClock {
  let lastAskedAtMs = 0;
  /** The maximum by which the clock of Redis was ahead of this process when it was last read. */
  let maxAheadMs = Number.POSITIVE_INFINITY;
  return {
    hasJumped(redisMs, askedAtMs, repliedAtMs) {
      const driftMs = (repliedAtMs - lastAskedAtMs) * maxDrift;
      const isAhead = redisMs - repliedAtMs > maxAheadMs + driftMs + toleranceMs;
      const boundMs = redisMs - askedAtMs;
      // A slow reply must not hide a jump, nor many small steps a large one.
      maxAheadMs = isAhead ? boundMs : Math.min(maxAheadMs + driftMs, boundMs);
      lastAskedAtMs = askedAtMs;
      return isAhead;
    },
  };
}
