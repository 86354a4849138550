import type { Clock } from '../clock.ts';
import { maskSecrets } from './mask-secrets.ts';
import type { Exchange, SocketLine, TrafficLine } from './traffic-lines.ts';

/** How many lines are kept. The oldest lines are removed first. */
export const maxTrafficLines = 1000;

/** Facts about an exchange that become known after it has started. */
export type ExchangeUpdate = Omit<Exchange, 'id' | 'at' | 'direction' | 'team' | 'kind' | 'payload'>;

/** An exchange in progress. */
export interface PendingExchange {
  /** Adds facts that have become known. */
  update(facts: ExchangeUpdate): void;
}

type NewExchange = Omit<Exchange, 'id' | 'at'>;
type NewSocketLine = Omit<SocketLine, 'id' | 'at' | 'direction' | 'team'>;

/** Records the traffic between Slack and the app, with masked secrets. */
export interface TrafficLog {
  /** Records an exchange when it starts. */
  startExchange(exchange: NewExchange): PendingExchange;
  addSocketLine(line: NewSocketLine): void;
  /** Returns the ID of the newest line, or 0 if there was none. */
  lastId(): number;
  /** Returns the exchanges after the line with this ID, oldest first. */
  listExchanges(afterId?: number): readonly Exchange[];
  /** Returns the exchanges and connection events, oldest first. */
  listLines(): readonly TrafficLine[];
  /**
   * Calls `listener` with each new or changed line. When the log is cleared, calls it without a
   * line. Returns a function that unsubscribes.
   */
  subscribe(listener: (line?: TrafficLine) => void): () => void;
  clear(): void;
}

export function createTrafficLog(clock: Clock): TrafficLog {
  const lines = new Map<number, TrafficLine>();
  const listeners = new Set<(line?: TrafficLine) => void>();
  let lastId = 0;

  function keep(line: TrafficLine) {
    lines.set(line.id, line);
    for (const id of lines.keys()) {
      if (lines.size <= maxTrafficLines) break;
      lines.delete(id);
    }
    for (const listener of [...listeners]) listener(line);
  }

  return {
    startExchange(exchange) {
      let known: Exchange = { id: ++lastId, at: clock.now(), ...maskExchange(exchange) };
      keep(known);
      return {
        update(facts) {
          known = { ...known, ...maskExchange(facts) };
          if (lines.has(known.id)) keep(known);
        },
      };
    },
    addSocketLine: (line) =>
      keep({ id: ++lastId, at: clock.now(), direction: 'socket', team: null, ...line }),
    lastId: () => lastId,
    listExchanges: (afterId = 0) =>
      [...lines.values()].filter((line) => line.direction !== 'socket').filter(({ id }) => id > afterId),
    listLines: () => [...lines.values()],
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    clear() {
      lines.clear();
      for (const listener of [...listeners]) listener();
    },
  };
}

function maskExchange<Facts extends { readonly payload?: unknown; readonly answer?: unknown }>(
  facts: Facts,
): Facts {
  return {
    ...facts,
    ...('payload' in facts && { payload: maskSecrets(facts.payload) }),
    ...('answer' in facts && { answer: maskSecrets(facts.answer) }),
  };
}
