import type { Logger } from 'pino';
import type { HostingClientFor } from '../hosting-clients.ts';
import { sampleService, toPayloadCall } from './sample-service.ts';

/** Learning can use cached payloads up to this age (ms). */
const maxPayloadAgeMs = 60_000;

/**
 * Returns a function that reads one payload of each kind, so that the service profile learns from
 * them. The reads use the background lane, so that reports and people come first.
 */
export function createServiceLearner(
  hosting: HostingClientFor,
  log: Pick<Logger, 'warn'>,
): (teamId: string) => void {
  return (teamId) => {
    sampleService((name, vpsName) => {
      const { endpoint, input } = toPayloadCall(name, vpsName);
      return hosting(teamId).call(endpoint, input, { lane: 'background', maxAgeMs: maxPayloadAgeMs });
    }).catch((error: unknown) =>
      log.warn({ err: error, teamId }, "the service's payloads could not be learned"),
    );
  };
}
