/** One payload and what came back, or one call of the app and what it was answered. */
export interface Exchange {
  readonly id: number;
  /** Milliseconds since 1970, by the sandbox's clock. */
  readonly at: number;
  readonly direction: 'to_app' | 'from_app';
  readonly kind: string;
  readonly payload: unknown;
  readonly envelope_id?: string;
  readonly connection?: number;
  readonly retry?: number;
  readonly path?: string;
  readonly acknowledged?: boolean;
  readonly ack_ms?: number;
  readonly late_ms?: number;
  readonly took_ms?: number;
  readonly answer?: unknown;
  readonly status?: number;
  readonly refused?: string;
  readonly problems?: readonly string[];
  readonly faults?: readonly string[];
}

/** What happened to a connection of Socket Mode. */
export interface SocketLine {
  readonly id: number;
  readonly at: number;
  readonly direction: 'socket';
  readonly kind: 'opened' | 'closed' | 'dropped' | 'disconnect' | 'ticket_refused';
  readonly connection?: number;
  readonly connections: number;
  readonly reason?: string;
}

export type Line = Exchange | SocketLine;

/** An entry of `GET /sandbox/traffic/events`. */
export type TrafficEvent =
  | { readonly kind: 'begin'; readonly limit: number; readonly lines: readonly Line[] }
  | { readonly kind: 'line'; readonly line: Line }
  | { readonly kind: 'alive' };

type Json = { readonly [field: string]: unknown };

/** Tells an object from lists, `null` and the rest of JSON. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads what lies along `path` in JSON as text; `''` where there is none. */
export function textIn(value: unknown, ...path: readonly string[]): string {
  const found = path.reduce((inner, field) => (isObject(inner) ? inner[field] : undefined), value);
  return typeof found === 'string' ? found : '';
}

/** Parses text that holds a JSON object or list, as forms carry `blocks` and `view`; anything else stays what it is. */
export function unpacked(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
