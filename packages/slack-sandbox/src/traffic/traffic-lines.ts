/** One payload and its acknowledgement, or one API call and its response. */
export interface Exchange {
  /** Higher for later lines. */
  readonly id: number;
  /** Time in epoch ms by the sandbox's clock. */
  readonly at: number;
  readonly direction: 'to_app' | 'from_app';
  /** ID of the workspace; `null` for a call whose workspace is unknown. */
  readonly team: string | null;
  /**
   * `slash_commands`, `interactive`, `events_api`, `url_verification`, `response_url`,
   * `incoming_webhook`, `upload`, `mcp`, or the name of a method.
   */
  readonly kind: string;
  readonly payload: unknown;
  /** ID of the envelope in which Socket Mode delivered the payload. */
  readonly envelope_id?: string;
  /** Number of the Socket Mode connection that was used. */
  readonly connection?: number;
  /** Number of the attempt. Set if the event was repeated. */
  readonly retry?: number;
  /** Path to which the app posted. Set if the kind doesn't imply it. */
  readonly path?: string;
  readonly acknowledged?: boolean;
  readonly ack_ms?: number;
  /** How late an acknowledgement arrived after Slack's deadline. */
  readonly late_ms?: number;
  /** How many ms a call of the app took. */
  readonly took_ms?: number;
  readonly answer?: unknown;
  /**
   * HTTP status of the response. For a delivery over HTTP, it is the app's; for a call, it is the
   * sandbox's.
   */
  readonly status?: number;
  /** Slack's error code. Set if the exchange failed or was rejected. */
  readonly refused?: string;
  /** Problems in the app's acknowledgement, one per line. */
  readonly problems?: readonly string[];
  /** Injected faults that affected this exchange. */
  readonly faults?: readonly string[];
}

/** An event of a Socket Mode connection. */
export interface SocketLine {
  readonly id: number;
  readonly at: number;
  readonly direction: 'socket';
  readonly team: null;
  readonly kind: 'opened' | 'closed' | 'dropped' | 'disconnect' | 'ticket_refused';
  /** Number of the connection. Connections are counted from 1 in the order in which they are opened. */
  readonly connection?: number;
  /** Number of open connections. */
  readonly connections: number;
  /** Reason for a `disconnect`, or code and reason of a close. */
  readonly reason?: string;
}

export type TrafficLine = Exchange | SocketLine;

/** An entry of `GET /sandbox/traffic/events`. */
export type TrafficEvent =
  | { readonly kind: 'begin'; readonly limit: number; readonly lines: readonly TrafficLine[] }
  | { readonly kind: 'line'; readonly line: TrafficLine }
  | { readonly kind: 'alive' };
