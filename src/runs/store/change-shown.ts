import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../db/engines/database.ts';
import type { RunRow } from '../../db/schema/schema.ts';
import type { Run } from '../run.ts';
import type { RunMessages } from '../run-messages.ts';
import { toRun } from './run-row.ts';

/**
 * Changes runs and, in the same transaction, updates the messages of the runs for which `isShown` returns
 * true. Returns the changed runs.
 */
export type ChangeShown = (
  change: (transaction: Database) => Promise<readonly RunRow[]>,
  isShown?: (run: Run) => boolean,
) => Promise<readonly Run[]>;

export function createChangeShown(
  db: Database,
  { show, wake }: RunMessages,
  changes: Pick<RunChanges, 'notify'>,
): ChangeShown {
  return async (change, isShown = () => true) => {
    const runs = await db.transaction().execute(async (transaction) => {
      const changed = (await change(transaction)).map(toRun);
      for (const run of changed.filter(isShown)) await show(run, transaction);
      return changed;
    });
    if (runs.length > 0) wake();
    for (const { id, batchId } of runs) changes.notify(batchId ?? id);
    return runs;
  };
}

/** Notifies waiters when this process changes a run or one of its parts. */
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
