import type { DeliveryResult } from '../delivery/deliver.ts';
import type { DeliveryFailure } from '../delivery/transport.ts';

/** The result of a person's action. `error` is the text that Slack shows to the person. */
export interface ActionResult {
  readonly acknowledged: boolean;
  readonly ack_ms: number;
  readonly trigger_id?: string;
  readonly error?: string;
}

/** The errors that Slack shows to people when a delivery fails. */
const deliveryErrors: Readonly<Record<DeliveryFailure, string>> = {
  timeout: 'operation_timeout',
  unreachable: 'dispatch_failed',
  connection_closed: 'dispatch_failed',
  url_unverified: 'dispatch_failed',
  client_error: 'http_client_error',
  server_error: 'http_service_error',
};

/** Converts the result of a delivery to the result of the action. */
export function toActionResult(outcome: DeliveryResult, triggerId?: string): ActionResult {
  return {
    acknowledged: outcome.ok,
    ack_ms: outcome.ackMs,
    ...(triggerId !== undefined && { trigger_id: triggerId }),
    ...(!outcome.ok && { error: deliveryErrors[outcome.failure] }),
  };
}

/** Returns the result of an action that Slack itself rejected. Nothing was sent to the app. */
export function rejectedResult(error: string): ActionResult {
  return { acknowledged: false, ack_ms: 0, error };
}
