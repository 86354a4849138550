import type { Logger } from 'pino';
import { RackhandError } from '../../errors.ts';

/** Tracks the runs that this process is executing or replying to. */
export interface ActiveRuns {
  /** Counts a run as active until `work` ends. Logs errors. */
  start(runId: string, work: Promise<void>): void;
  /** Counts a run as active until `work` ends, and returns its result. */
  during<T>(runId: string, work: Promise<T>): Promise<T>;
  has(runId: string): boolean;
  /** Returns the signal that cancels an active run's calls while they wait for the quota. */
  cancelSignal(runId: string): AbortSignal | undefined;
  /** Cancels a run's waiting and later calls. Returns false if this process makes no calls for the run. */
  cancelWaitingCalls(runId: string): boolean;
  /** Resolves when all started work has ended. */
  drained(): Promise<void>;
}

export function createActiveRuns(log: Pick<Logger, 'error'>): ActiveRuns {
  const executing = new Map<string, Promise<void>>();
  const replying = new Map<string, number>();
  const cancels = new Map<string, AbortController>();
  const has = (runId: string) => executing.has(runId) || replying.has(runId);
  const forget = (runId: string) => {
    if (!has(runId)) cancels.delete(runId);
  };

  async function during<T>(runId: string, work: Promise<T>): Promise<T> {
    // Counted, because approvers can click at the same time.
    replying.set(runId, (replying.get(runId) ?? 0) + 1);
    try {
      return await work;
    } finally {
      const others = (replying.get(runId) ?? 1) - 1;
      if (others > 0) replying.set(runId, others);
      else replying.delete(runId);
      forget(runId);
    }
  }

  return {
    start(runId, work) {
      const execution = work
        .catch((error) => log.error({ err: error, runId }, 'could not finish a run'))
        .finally(() => {
          executing.delete(runId);
          forget(runId);
        });
      executing.set(runId, execution);
    },
    during,
    has,
    cancelSignal(runId) {
      if (!has(runId)) return undefined;
      const cancel = cancels.get(runId) ?? new AbortController();
      cancels.set(runId, cancel);
      return cancel.signal;
    },
    cancelWaitingCalls(runId) {
      const cancel = cancels.get(runId);
      cancel?.abort(new RackhandError('cancelled', 'This was cancelled before it was sent.'));
      return cancel !== undefined;
    },
    async drained() {
      while (executing.size > 0) await Promise.all(executing.values());
    },
  };
}
