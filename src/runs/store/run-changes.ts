import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** Says when this process has changed a run or one of its parts. */
export interface RunChanges {
  notify(runId: string): void;
  /** Resolves at the next change, after `maxMs`, or when the signal aborts. */
  next(runId: string, maxMs: number, signal: AbortSignal): Promise<void>;
}

export function createRunChanges(): RunChanges {
  const changes = new EventEmitter<Record<string, []>>();
  return {
    notify: (runId) => void changes.emit(runId),
    async next(runId, maxMs, signal) {
      const changed = new AbortController();
      const wake = () => changed.abort();
      changes.once(runId, wake);
      const options = { signal: AbortSignal.any([signal, changed.signal]), ref: false };
      await delay(maxMs, undefined, options).catch(() => undefined);
      changes.off(runId, wake);
    },
  };
}
