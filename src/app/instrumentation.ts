import type { Metrics } from '../http/metrics.ts';
import type { RunStore } from '../runs/store/run-store.ts';

/** Counts the runs that the store settles. */
export function instrumentRuns(runs: RunStore, metrics: Pick<Metrics, 'runEnded'>): RunStore {
  return {
    ...runs,
    async settle(settlement) {
      const isSettled = await runs.settle(settlement);
      if (isSettled) metrics.runEnded(settlement.status);
      return isSettled;
    },
    async expireOverdue(...args) {
      const expired = await runs.expireOverdue(...args);
      for (const { status } of expired) metrics.runEnded(status);
      return expired;
    },
    async expireUnsent(teamId, result, nowMs) {
      const expired = await runs.expireUnsent(teamId, result, nowMs);
      for (const { status } of expired) metrics.runEnded(status);
      return expired;
    },
  };
}
