import { HostingError } from '../hosting/hosting-error.ts';
import type { Quota } from '../hosting/quota/quota.ts';
import type { Transport } from '../hosting/transport.ts';
import type { RunStore } from '../operations/runs/run-store.ts';
import type { Metrics } from './metrics.ts';

/** Counts the runs that a store ends. */
export function countedRuns(runs: RunStore, metrics: Pick<Metrics, 'runEnded'>): RunStore {
  return {
    ...runs,
    async settle(settlement) {
      const isEnded = await runs.settle(settlement);
      if (isEnded) metrics.runEnded(settlement.status);
      return isEnded;
    },
    async lapse(...given) {
      const lapsed = await runs.lapse(...given);
      for (const { status } of lapsed) metrics.runEnded(status);
      return lapsed;
    },
    async abandon(teamId, result, nowMs) {
      const abandoned = await runs.abandon(teamId, result, nowMs);
      for (const { status } of abandoned) metrics.runEnded(status);
      return abandoned;
    },
  };
}

/** Counts the calls that a transport carries. */
export function countedTransport(
  transport: Transport,
  metrics: Pick<Metrics, 'callEnded'>,
  now: () => number = performance.now.bind(performance),
): Transport {
  return {
    ...transport,
    async send(request, signal) {
      const startedMs = now();
      try {
        const answer = await transport.send(request, signal);
        metrics.callEnded(String(answer.status), now() - startedMs);
        return answer;
      } catch (error) {
        metrics.callEnded(error instanceof HostingError ? error.code : 'aborted', now() - startedMs);
        throw error;
      }
    },
  };
}

/** Counts how long calls wait in a quota. */
export function countedQuota(
  quota: Quota,
  metrics: Pick<Metrics, 'quotaWaited'>,
  now: () => number = performance.now.bind(performance),
): Quota {
  return {
    ...quota,
    run(slot, call) {
      const askedMs = now();
      return quota.run(slot, (signal) => {
        metrics.quotaWaited(slot.lane, now() - askedMs);
        return call(signal);
      });
    },
  };
}
