import type { JsonObject } from '../json.ts';
import type { PendingExchange } from '../traffic/traffic-log.ts';

/** The kind of a payload, as Socket Mode names it. */
type DeliveryKind = 'slash_commands' | 'interactive' | 'events_api';

/** Why a delivery failed. */
export type DeliveryFailure =
  | 'timeout'
  | 'unreachable'
  | 'client_error'
  | 'server_error'
  | 'connection_closed'
  | 'url_unverified';

/** A payload on its way to the app. */
export interface Delivery {
  readonly kind: DeliveryKind;
  readonly team: string;
  readonly payload: JsonObject;
  /** Set if the event is repeated. Contains the number of failed attempts and the reason. */
  readonly retry?: { readonly attempt: number; readonly failure: DeliveryFailure };
}

/**
 * The app's response. It is an acknowledgement with an optional body, or a failure. `noRetry` asks
 * Slack not to retry.
 */
export type AppResponse =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly failure: DeliveryFailure; readonly noRetry?: boolean };

/** Delivers payloads to the app. */
export interface Transport {
  /** Sends a payload once and waits for the response without a time limit. `expired` ends the wait. */
  send(delivery: Delivery, exchange: PendingExchange, expired: AbortSignal): Promise<AppResponse>;
}
