import type { Clock } from './clock.ts';

/** Pause after a poll that failed. */
const failureDelayMs = 5_000;

interface PollLoopOptions {
  readonly clock: Clock;
  /** Does the work that is due. Returns when to poll next. */
  readonly poll: (nowMs: number) => Promise<number>;
  /** Longest pause. Needed because another process can add work at any time. */
  readonly maxSleepMs: number;
  readonly onError: (error: unknown) => void;
}

/** Polls periodically and whenever it is woken. Polls never overlap. */
export interface PollLoop {
  /** Aborts when the loop is stopped. */
  readonly stopping: AbortSignal;
  /** Polls immediately. If a poll is running, polls once more after it. */
  wake(): void;
  /** Stops polling. Resolves when no poll is running. */
  stop(): Promise<void>;
  /** Starts polling. Resolves after the first poll. */
  start(): Promise<void>;
}

/** Creates a loop that polls for work and sleeps between two polls. */
export function createPollLoop({ clock, poll, maxSleepMs, onError }: PollLoopOptions): PollLoop {
  const controller = new AbortController();
  const stopping = controller.signal;
  let looking: Promise<void> | undefined;
  let isWoken = false;
  let timer = () => {};

  async function lookOnce(): Promise<void> {
    timer();
    const nowMs = clock.now();
    let wakeMs = nowMs + maxSleepMs;
    try {
      wakeMs = Math.min(wakeMs, await poll(nowMs));
    } catch (error) {
      onError(error);
      wakeMs = nowMs + failureDelayMs;
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
      controller.abort(new Error('Rackhand is stopping'));
      timer();
      await looking;
    },
  };
}
