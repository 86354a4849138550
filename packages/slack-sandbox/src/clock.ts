/** The sandbox's time. Advancing it runs the timers that become due. */
export interface Clock {
  /** Returns the time in epoch ms. */
  now(): number;
  /** Calls `run` once after `delayMs`. Returns a function that cancels the timer. */
  schedule(delayMs: number, run: () => void): () => void;
  /** Advances the time. Timers that become due run in order, each at its own time. */
  advance(ms: number): void;
  /** Cancels every timer. */
  stop(): void;
}

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

/** Longest delay that Node's timers support. */
const maxDelayMs = 2 ** 31 - 1;

/** Creates a clock based on `base`. If `base` never changes, time passes only through `advance`. */
export function createClock(base: () => number = Date.now): Clock {
  const timers = new Set<Timer>();
  let aheadMs = 0;
  let wake: NodeJS.Timeout | undefined;

  const now = () => base() + aheadMs;

  function earliest(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of timers) if (!first || timer.dueMs < first.dueMs) first = timer;
    return first;
  }

  function runUntil(limitMs: number) {
    for (let timer = earliest(); timer && timer.dueMs <= limitMs; timer = earliest()) {
      timers.delete(timer);
      aheadMs += Math.max(0, timer.dueMs - now());
      timer.run();
    }
  }

  function arm() {
    clearTimeout(wake);
    const next = earliest();
    if (!next) return;
    const delayMs = Math.min(Math.max(1, next.dueMs - now()), maxDelayMs);
    wake = setTimeout(() => {
      runUntil(now());
      arm();
    }, delayMs);
    wake.unref();
  }

  return {
    now,
    schedule(delayMs, run) {
      const timer = { dueMs: now() + delayMs, run };
      timers.add(timer);
      arm();
      return () => void timers.delete(timer);
    },
    advance(ms) {
      const target = now() + ms;
      runUntil(target);
      aheadMs += Math.max(0, target - now());
      arm();
    },
    stop() {
      clearTimeout(wake);
      timers.clear();
    },
  };
}
