import type { Clock } from '../clock.ts';
import type { Exchange, SocketLine, TrafficLine } from './traffic-lines.ts';

/** Most lines kept; the oldest go first. */
export const maxLines = 1000;

/** What is learnt of an exchange after it began. */
export type Learnt = Omit<Exchange, 'id' | 'at' | 'direction' | 'team' | 'kind' | 'payload'>;

/** An exchange that goes on. */
export interface OpenExchange {
  /** Adds what is learnt of it. */
  learn(facts: Learnt): void;
}

type NewExchange = Omit<Exchange, 'id' | 'at'>;
type NewSocketLine = Omit<SocketLine, 'id' | 'at' | 'direction' | 'team'>;

/** Remembers what went between Slack and the app. */
export interface Traffic {
  /** Notes an exchange as it begins. */
  note(exchange: NewExchange): OpenExchange;
  noteSocket(line: NewSocketLine): void;
  /** Exchanges, oldest first. */
  list(): readonly Exchange[];
  /** Exchanges and what happened to connections, oldest first. */
  lines(): readonly TrafficLine[];
  /** Calls `listener` with each line as it is new or changed, and with nothing when all are forgotten; the answer stops it. */
  subscribe(listener: (line?: TrafficLine) => void): () => void;
  clear(): void;
}

export function createTraffic(clock: Clock): Traffic {
  const lines = new Map<number, TrafficLine>();
  const listeners = new Set<(line?: TrafficLine) => void>();
  let lastId = 0;

  function keep(line: TrafficLine) {
    lines.set(line.id, line);
    for (const id of lines.keys()) {
      if (lines.size <= maxLines) break;
      lines.delete(id);
    }
    for (const listener of [...listeners]) listener(line);
  }

  return {
    note(exchange) {
      let known: Exchange = { id: ++lastId, at: clock.now(), ...exchange };
      keep(known);
      return {
        learn(facts) {
          known = { ...known, ...facts };
          if (lines.has(known.id)) keep(known);
        },
      };
    },
    noteSocket: (line) => keep({ id: ++lastId, at: clock.now(), direction: 'socket', team: null, ...line }),
    list: () => [...lines.values()].filter((line) => line.direction !== 'socket'),
    lines: () => [...lines.values()],
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
