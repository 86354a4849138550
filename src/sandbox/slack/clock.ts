/** Time as the sandbox sees it: it can be moved forward, and what is due on the way happens. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs something once, `delayMs` from now; the answer calls it off. */
  after(delayMs: number, run: () => void): () => void;
  /** Moves time forward; every timer on the way runs in order, each at its own moment. */
  advance(ms: number): void;
  /** Forgets every timer. */
  stop(): void;
}

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

/** Longest delay that Node's timers take. */
const maxDelayMs = 2 ** 31 - 1;

/** Creates a clock over `base`, which a test may freeze so that time passes only by `advance`. */
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
    after(delayMs, run) {
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
