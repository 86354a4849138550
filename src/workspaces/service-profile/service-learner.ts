import type { Logger } from 'pino';
import type { HostingClientFor } from '../hosting-clients.ts';
import { type CallEndpoint, learnService, toPayloadCall } from './sample-service.ts';
import type { ServiceProfileStore } from './service-profile-store.ts';

/** Maximum age (ms) of the cached payloads used for learning. */
const maxPayloadAgeMs = 60_000;

/** Returns a function that learns the payloads of a workspace's service in the background. */
export function createServiceLearner({
  store,
  hosting,
  log,
  now,
}: {
  readonly store: ServiceProfileStore;
  readonly hosting: HostingClientFor;
  readonly log: Pick<Logger, 'warn'>;
  readonly now: () => number;
}): (teamId: string) => void {
  return (teamId) => {
    const call: CallEndpoint = (name, vpsName) => {
      const { endpoint, input } = toPayloadCall(name, vpsName);
      return hosting(teamId).call(endpoint, input, { lane: 'background', maxAgeMs: maxPayloadAgeMs });
    };
    learnService(store, { teamId, nowMs: now(), call }).catch((error: unknown) =>
      log.warn({ err: error, teamId }, "the service's payloads could not be learned"),
    );
  };
}
