import type { Outcome } from '../delivery/deliver.ts';
import type { Failure } from '../delivery/transport.ts';

/** What becomes of something that a person did. `error` is what Slack shows them. */
export interface Reaction {
  readonly acknowledged: boolean;
  readonly ack_ms: number;
  readonly trigger_id?: string;
  readonly error?: string;
}

/** Slack's names for failed deliveries, as people see them. */
const shown: Readonly<Record<Failure, string>> = {
  timeout: 'operation_timeout',
  unreachable: 'dispatch_failed',
  connection_closed: 'dispatch_failed',
  url_unverified: 'dispatch_failed',
  client_error: 'http_client_error',
  server_error: 'http_service_error',
};

/** Tells the outcome of a delivery. */
export function reactionTo(outcome: Outcome, triggerId?: string): Reaction {
  return {
    acknowledged: outcome.ok,
    ack_ms: outcome.ackMs,
    ...(triggerId !== undefined && { trigger_id: triggerId }),
    ...(!outcome.ok && { error: shown[outcome.failure] }),
  };
}

/** Tells that Slack refused by itself, so that nothing reached the app. */
export function refused(error: string): Reaction {
  return { acknowledged: false, ack_ms: 0, error };
}
