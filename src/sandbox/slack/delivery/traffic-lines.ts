/** One payload and what came back, or one call of the app and what it was answered. */
export interface Exchange {
  /** Rises by one with each line. */
  readonly id: number;
  /** Milliseconds since 1970, by the sandbox's clock. */
  readonly at: number;
  readonly direction: 'to_app' | 'from_app';
  /** Workspace; `null` where a call named none that is known. */
  readonly team: string | null;
  /** `slash_commands`, `interactive`, `events_api`, `url_verification`, a method's name, `response_url` or `upload`. */
  readonly kind: string;
  readonly payload: unknown;
  /** Envelope of a Socket Mode delivery. */
  readonly envelope_id?: string;
  /** Number of the connection that a Socket Mode delivery went over. */
  readonly connection?: number;
  /** Number of the attempt, for an event that is delivered again. */
  readonly retry?: number;
  /** Path that the app posted to, where the kind does not tell it. */
  readonly path?: string;
  readonly acknowledged?: boolean;
  readonly ack_ms?: number;
  /** When an acknowledgement came that Slack no longer waited for. */
  readonly late_ms?: number;
  /** How long a call of the app took. */
  readonly took_ms?: number;
  readonly answer?: unknown;
  /** HTTP status of the answer: the app's to a delivery over HTTP, the sandbox's to a call. */
  readonly status?: number;
  /** Why it failed or was refused, in Slack's word for it. */
  readonly refused?: string;
  /** What was wrong with what the app acknowledged with, a line each. */
  readonly problems?: readonly string[];
  /** Faults that were asked for and struck here. */
  readonly faults?: readonly string[];
}

/** What happened to a connection of Socket Mode. */
export interface SocketLine {
  readonly id: number;
  readonly at: number;
  readonly direction: 'socket';
  readonly team: null;
  readonly kind: 'opened' | 'closed' | 'dropped' | 'disconnect' | 'ticket_refused';
  /** Number of the connection, from 1 in the order of opening. */
  readonly connection?: number;
  /** How many are open now. */
  readonly connections: number;
  /** Reason of a `disconnect`, or code and reason of a close. */
  readonly reason?: string;
}

export type TrafficLine = Exchange | SocketLine;

/** An entry of `GET /sandbox/traffic/events`. */
export type TrafficEvent =
  | { readonly kind: 'begin'; readonly limit: number; readonly lines: readonly TrafficLine[] }
  | { readonly kind: 'line'; readonly line: TrafficLine }
  | { readonly kind: 'alive' };
