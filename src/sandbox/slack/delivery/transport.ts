import type { JsonObject } from '../json.ts';
import type { OpenExchange } from './traffic.ts';

/** What a payload is about, in Socket Mode's words. */
type DeliveryKind = 'slash_commands' | 'interactive' | 'events_api';

/** Why a delivery failed. */
export type Failure =
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
  /** Set for an event that is delivered again: how often it failed, and how it failed last. */
  readonly retry?: { readonly attempt: number; readonly failure: Failure };
}

/** What the app said: its acknowledgement with what it carries, or how it failed. `noRetry` asks for no second time. */
export type Answer =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly failure: Failure; readonly noRetry?: boolean };

/** A way to the app. */
export interface Transport {
  /** Sends a payload once and waits for the answer, however long it takes; `expired` ends the waiting. */
  send(delivery: Delivery, exchange: OpenExchange, expired: AbortSignal): Promise<Answer>;
}
