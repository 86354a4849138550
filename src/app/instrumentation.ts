import type { HttpRequest, Transport } from '../hosting/client/transport.ts';
import { HostingError } from '../hosting/hosting-error.ts';
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

/** Reports the end of the transport's calls: their HTTP status, or why there was no answer. */
export function instrumentTransport(
  transport: Transport,
  callEnded: (method: HttpRequest['method'], status: string, durationMs: number) => void,
  now: () => number = performance.now.bind(performance),
): Transport {
  return {
    ...transport,
    async send(request, signal) {
      const startedMs = now();
      try {
        const response = await transport.send(request, signal);
        callEnded(request.method, String(response.status), now() - startedMs);
        return response;
      } catch (error) {
        const reason = error instanceof HostingError ? error.code : 'aborted';
        callEnded(request.method, reason, now() - startedMs);
        throw error;
      }
    },
  };
}
