import type { Clock } from '../clock.ts';

/** Most exchanges kept; the oldest go first. */
const maxExchanges = 1000;

/** One payload and what came back, or one call of the app and what it was answered. */
export interface Exchange {
  /** Milliseconds since 1970, by the sandbox's clock. */
  readonly at: number;
  readonly direction: 'to_app' | 'from_app';
  /** Workspace; `null` where a call named none that is known. */
  readonly team: string | null;
  /** `slash_commands`, `interactive`, `events_api`, `url_verification`, a method's name, `response_url` or `upload`. */
  readonly kind: string;
  readonly payload: unknown;
  /** Envelope of a Socket Mode delivery. */
  envelope_id?: string;
  /** Number of the attempt, for an event that is delivered again. */
  readonly retry?: number;
  acknowledged?: boolean;
  ack_ms?: number;
  answer?: unknown;
  /** Why it failed or was refused, in Slack's word for it. */
  refused?: string;
}

export interface Traffic {
  /** Notes an exchange; the caller completes it as the answer comes. */
  note(exchange: Omit<Exchange, 'at'>): Exchange;
  list(): readonly Exchange[];
  clear(): void;
}

export function createTraffic(clock: Clock): Traffic {
  const exchanges: Exchange[] = [];
  return {
    note(exchange) {
      const noted = { at: clock.now(), ...exchange };
      exchanges.push(noted);
      if (exchanges.length > maxExchanges) exchanges.shift();
      return noted;
    },
    list: () => exchanges,
    clear: () => void exchanges.splice(0),
  };
}
