import type { Logger } from 'pino';

/** Knows which runs this process works on at the moment. */
export interface Activity {
  /** Works on a run; what fails is logged. */
  begin(runId: string, work: () => Promise<void>): void;
  /** Counts a run as worked on until its answer is there. */
  during<T>(runId: string, answer: Promise<T>): Promise<T>;
  has(runId: string): boolean;
  /** Resolves when nothing is worked on any more. */
  ended(): Promise<void>;
}

/** Creates what knows the runs that this process works on. */
export function createActivity(log: Pick<Logger, 'error'>): Activity {
  const underWay = new Map<string, Promise<void>>();
  const answering = new Map<string, number>();

  return {
    begin(runId, work) {
      const ending = work()
        .catch((error) => log.error({ err: error, runId }, 'a run did not come to its end'))
        .finally(() => underWay.delete(runId));
      underWay.set(runId, ending);
    },
    async during(runId, answer) {
      // Two clicks may be answered at once.
      answering.set(runId, (answering.get(runId) ?? 0) + 1);
      try {
        return await answer;
      } finally {
        const others = (answering.get(runId) ?? 1) - 1;
        if (others > 0) answering.set(runId, others);
        else answering.delete(runId);
      }
    },
    has: (runId) => underWay.has(runId) || answering.has(runId),
    async ended() {
      while (underWay.size > 0) await Promise.all(underWay.values());
    },
  };
}
