import type { Clock } from './clock.ts';

/** Pause after a look that failed. */
const afterFailureMs = 5_000;

interface LookoutParts {
  readonly clock: Clock;
  /** Looks for what is to be done, and gives when it is to look again at the latest. */
  readonly look: (nowMs: number) => Promise<number>;
  /** It looks again after so long, whatever it was told: another process may have added something. */
  readonly longestSleepMs: number;
  readonly onFailure: (error: unknown) => void;
}

/** Looks from time to time, and whenever it is woken; never twice at a time. */
export interface Lookout {
  /** Aborts when it stops. */
  readonly stopping: AbortSignal;
  /** Looks at once, or once more where it is looking. */
  wake(): void;
  /** Resolves when no look is under way; wakes no more. */
  stop(): Promise<void>;
  /** Resolves when it has looked. */
  start(): Promise<void>;
}

/** Creates what looks for work, and sleeps in between. */
export function createLookout({ clock, look, longestSleepMs, onFailure }: LookoutParts): Lookout {
  const controller = new AbortController();
  const stopping = controller.signal;
  let looking: Promise<void> | undefined;
  let isWoken = false;
  let timer = () => {};

  async function lookOnce(): Promise<void> {
    timer();
    const nowMs = clock.now();
    let wakeMs = nowMs + longestSleepMs;
    try {
      wakeMs = Math.min(wakeMs, await look(nowMs));
    } catch (error) {
      onFailure(error);
      wakeMs = nowMs + afterFailureMs;
    }
    if (!stopping.aborted) timer = clock.setTimer(wakeMs, wake);
  }

  async function lookWhileWoken(): Promise<void> {
    while (isWoken && !stopping.aborted) {
      isWoken = false;
      await lookOnce();
    }
  }

  function wake(): void {
    isWoken = true;
    looking ??= lookWhileWoken().finally(() => {
      looking = undefined;
      if (isWoken && !stopping.aborted) wake();
    });
  }

  return {
    stopping,
    wake,
    async start() {
      wake();
      await looking;
    },
    async stop() {
      controller.abort(new Error('Rackhand stops'));
      timer();
      await looking;
    },
  };
}
