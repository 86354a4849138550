import type { Clock } from './clock.ts';

/** Pause after a poll that failed. */
const failureDelayMs = 5_000;

interface PollLoopOptions {
  readonly clock: Clock;
  /** Starts the work that is due. Returns when to poll next. */
  readonly poll: () => Promise<number>;
  /** Longest pause. Needed because another process can add work at any time. */
  readonly maxSleepMs: number;
  /** Called for the first of several failures in a row. */
  readonly onError: (error: unknown) => void;
}

/** Polls periodically and whenever it is woken. Polls never overlap. */
export interface PollLoop {
  /** Polls immediately. If a poll is running, polls once more after it. */
  wake(): void;
  /** Polls at this time, or after the longest pause, unless a poll is planned before. */
  wakeAt(atMs: number): void;
  /** Starts polling. Resolves after the first poll. */
  start(): Promise<void>;
  /** Stops polling. Resolves when no poll is running. */
  stop(): Promise<void>;
}

/** Creates a loop that polls for work and sleeps between two polls. */
export function createPollLoop({ clock, poll, maxSleepMs, onError }: PollLoopOptions): PollLoop {
  let polling: Promise<void> | undefined;
  let [isRunning, isWoken, isFailing] = [false, false, false];
  let nextMs = Number.POSITIVE_INFINITY;
  let cancelTimer = () => {};

  function wakeAt(atMs: number): void {
    const nowMs = clock.now();
    // If the clock was set back, a time that was chosen before can be hours away.
    const limitedMs = Math.min(atMs, nowMs + maxSleepMs);
    if (limitedMs >= nextMs) return;
    if (limitedMs <= nowMs) {
      wake();
      return;
    }
    cancelTimer();
    nextMs = limitedMs;
    cancelTimer = clock.setTimer(limitedMs, wake);
  }

  async function pollOnce(): Promise<void> {
    cancelTimer();
    nextMs = Number.POSITIVE_INFINITY;
    let atMs: number;
    try {
      atMs = await poll();
      isFailing = false;
    } catch (error) {
      if (!isFailing) onError(error);
      isFailing = true;
      atMs = clock.now() + failureDelayMs;
    }
    wakeAt(atMs);
  }

  async function pollWhileWoken(): Promise<void> {
    while (isWoken && isRunning) {
      isWoken = false;
      await pollOnce();
    }
    polling = undefined;
  }

  function wake(): void {
    if (!isRunning) return;
    isWoken = true;
    polling ??= pollWhileWoken();
  }

  return {
    wake,
    wakeAt,
    async start() {
      isRunning = true;
      wake();
      await polling;
    },
    async stop() {
      // A timer that is still set does nothing once the loop is stopped.
      isRunning = false;
      await polling;
    },
  };
}
