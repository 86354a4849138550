export interface IntervalJob {
  /** Runs the task immediately and then at every interval. */
  start(): void;
  /** Resolves when no run is in progress anymore. */
  stop(): Promise<void>;
}

interface IntervalJobOptions {
  readonly intervalMs: number;
  readonly run: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Repeats a task. Runs never overlap, and the timer doesn't keep the process alive. */
export function createIntervalJob({ intervalMs, run, onError }: IntervalJobOptions): IntervalJob {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  function runNext(): void {
    running = running.then(run).catch(onError);
  }

  return {
    start() {
      runNext();
      timer = setInterval(runNext, intervalMs).unref();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
