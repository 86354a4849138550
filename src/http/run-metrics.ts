import { Gauge, type Registry } from 'prom-client';
import { withTimeout } from '../with-timeout.ts';

/** The runs of a status that haven't ended. */
export interface UnsettledRuns {
  readonly status: string;
  readonly count: number;
  /** How long ago the oldest of them was requested. */
  readonly oldestAgeMs: number;
}

export interface RunMetrics {
  /** Sets the function that reads the counts. */
  measureUnsettled(read: () => Promise<readonly UnsettledRuns[]>): void;
  /** Reads the counts. Leaves them out if the database doesn't answer. */
  refresh(): Promise<void>;
}

const readTimeoutMs = 2_000;

/** The statuses of runs that haven't ended. Those without a run are shown as 0. */
const unsettledStatuses = ['waiting', 'queued', 'sent'] as const;

/** Adds the metrics of runs that haven't ended. They are the same in all processes. */
export function createRunMetrics(registry: Registry): RunMetrics {
  let readRuns = async (): Promise<readonly UnsettledRuns[] | undefined> => undefined;
  const registers = [registry];
  const labelNames = ['status'];
  const counts = new Gauge({
    name: 'rackhand_runs_unsettled',
    help: 'Runs that have not ended, in the whole installation.',
    labelNames,
    registers,
  });
  const ages = new Gauge({
    name: 'rackhand_run_oldest_seconds',
    help: 'Age of the oldest run that has not ended.',
    labelNames,
    registers,
  });
  return {
    measureUnsettled(read) {
      readRuns = read;
    },
    async refresh() {
      const runs = await withTimeout(readRuns(), readTimeoutMs, () => undefined).catch(() => undefined);
      counts.reset();
      ages.reset();
      if (!runs) return;
      for (const status of unsettledStatuses) {
        const found = runs.find((one) => one.status === status);
        counts.set({ status }, found?.count ?? 0);
        ages.set({ status }, (found?.oldestAgeMs ?? 0) / 1_000);
      }
    },
  };
}
