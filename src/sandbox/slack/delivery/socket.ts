import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../clock.ts';
import { isObject, parseJson, textAt } from '../json.ts';
import type { Mint } from '../mint.ts';
import { app } from '../world/seed.ts';
import { createRenewals } from './renewals.ts';
import type { Traffic } from './traffic.ts';
import type { SocketLine } from './traffic-lines.ts';
import type { Answer, Delivery, Transport } from './transport.ts';

/** Most connections at once: docs.slack.dev/apis/events-api/using-socket-mode. */
const maxConnections = 10;
/** About how long Slack keeps a connection; it says so in `hello`. */
const connectionSeconds = 3600;
/** How long before its end a connection is warned. */
const warningMs = 10_000;
const pingEveryMs = 10_000;
const ticketLifeMs = 30_000;

/** Why the app is told to go: soon, now, because Socket Mode is off, or because there are ten others. */
export const disconnectReasons = [
  'warning',
  'refresh_requested',
  'link_disabled',
  'too_many_websockets',
] as const;

type DisconnectReason = (typeof disconnectReasons)[number];

/** Delivers over WebSockets that the app opens. */
export interface SocketTransport extends Transport {
  /** Makes a ticket that opens one connection, once. */
  ticket(): string;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Breaks the oldest connection as a failing network does; answers whether there was one. */
  drop(): boolean;
  /** Tells the oldest connection to go; answers whether there was one. */
  disconnect(reason: DisconnectReason): boolean;
  connections(): number;
  close(): void;
}

interface Connection {
  /** From 1, in the order of opening. */
  readonly number: number;
  readonly socket: WebSocket;
  readonly pending: Map<string, (answer: Answer) => void>;
  leaving: boolean;
  /** Calls off what it is told next because of its age. */
  cancel: () => void;
}

interface Needs {
  readonly clock: Clock;
  readonly mint: Mint;
  readonly traffic: Traffic;
  /** Whether Socket Mode is on; if not, connections are told `link_disabled`. */
  readonly isEnabled: boolean;
}

export function createSocketTransport({ clock, mint, traffic, isEnabled }: Needs): SocketTransport {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Map<string, number>();
  const connections: Connection[] = [];
  let turn = 0;
  let opened = 0;

  const debugInfo = () => ({
    host: 'sandbox',
    build_number: 1,
    approximate_connection_time: connectionSeconds,
  });
  const say = ({ socket }: Connection, message: object) => socket.send(JSON.stringify(message));

  const noteSocket = (kind: SocketLine['kind'], { number }: Connection, reason?: string) =>
    traffic.noteSocket({
      kind,
      connection: number,
      connections: connections.length,
      ...(reason !== undefined && { reason }),
    });

  function tell(connection: Connection, reason: DisconnectReason) {
    noteSocket('disconnect', connection, reason);
    say(connection, { type: 'disconnect', reason, debug_info: debugInfo() });
    if (reason === 'warning') return;
    connection.leaving = true;
    clock.after(warningMs, () => connection.socket.close());
  }

  const renewals = createRenewals<Connection>((connection) => {
    tell(connection, 'warning');
    // Whoever heeds the warning closes it at once: what is sent meanwhile would be lost.
    connection.leaving = connections.some((other) => other !== connection && !other.leaving);
    connection.cancel = clock.after(warningMs, () => tell(connection, 'refresh_requested'));
  });

  function accept(socket: WebSocket) {
    socket.on('error', () => socket.terminate());
    const connection: Connection = {
      number: ++opened,
      socket,
      pending: new Map(),
      leaving: false,
      cancel: () => undefined,
    };
    if (!isEnabled) return tell(connection, 'link_disabled');
    if (connections.length >= maxConnections) return tell(connection, 'too_many_websockets');
    connections.push(connection);
    noteSocket('opened', connection);
    say(connection, {
      type: 'hello',
      num_connections: connections.length,
      debug_info: debugInfo(),
      connection_info: { app_id: app.id },
    });
    const ping = setInterval(() => socket.ping(), pingEveryMs);
    connection.cancel = clock.after(connectionSeconds * 1000 - warningMs, () => renewals.due(connection));
    socket.on('message', (data) => hear(connection, data.toString()));
    socket.on('close', (code, reason) => {
      clearInterval(ping);
      connection.cancel();
      connections.splice(connections.indexOf(connection), 1);
      noteSocket('closed', connection, [code, reason].join(' ').trim());
      for (const answer of connection.pending.values()) answer({ ok: false, failure: 'connection_closed' });
      renewals.closed(connection);
    });
    renewals.opened();
  }

  return {
    ticket() {
      const ticket = mint.secret();
      tickets.set(ticket, clock.now() + ticketLifeMs);
      return ticket;
    },
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      const ticket = new URL(request.url ?? '/', 'ws://sandbox').searchParams.get('ticket') ?? '';
      const isValid = (tickets.get(ticket) ?? 0) >= clock.now();
      tickets.delete(ticket);
      if (!isValid) {
        traffic.noteSocket({ kind: 'ticket_refused', connections: connections.length });
        return void socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
      }
      server.handleUpgrade(request, socket, head, accept);
    },
    send(delivery, exchange) {
      const open = connections.filter(({ socket, leaving }) => !leaving && socket.readyState === socket.OPEN);
      const connection = open[turn++ % open.length];
      if (!connection) return Promise.resolve({ ok: false, failure: 'unreachable' });
      const envelopeId = randomUUID();
      exchange.learn({ envelope_id: envelopeId, connection: connection.number });
      say(connection, { envelope_id: envelopeId, ...envelopeOf(delivery) });
      return new Promise((resolve) => connection.pending.set(envelopeId, resolve));
    },
    drop() {
      const connection = connections.find(({ leaving }) => !leaving);
      if (!connection) return false;
      connection.leaving = true;
      noteSocket('dropped', connection);
      connection.socket.terminate();
      return true;
    },
    disconnect(reason) {
      const connection = connections.find(({ leaving }) => !leaving);
      if (connection) tell(connection, reason);
      return connection !== undefined;
    },
    connections: () => connections.length,
    close() {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}

function hear({ pending }: Connection, text: string) {
  const message = parseJson(text);
  const envelopeId = isObject(message) && textAt(message, 'envelope_id');
  if (!isObject(message) || !envelopeId) return;
  pending.get(envelopeId)?.({ ok: true, payload: message.payload });
  pending.delete(envelopeId);
}

/** Interactions whose acknowledgement may carry something. */
const answerable: ReadonlySet<unknown> = new Set(['view_submission', 'block_suggestion']);

function envelopeOf({ kind, payload, retry }: Delivery): object {
  if (kind !== 'events_api') {
    return {
      payload,
      type: kind,
      accepts_response_payload: kind === 'slash_commands' || answerable.has(payload.type),
    };
  }
  const retried = { retry_attempt: retry?.attempt ?? 0, retry_reason: retry?.failure ?? '' };
  return { payload, type: kind, accepts_response_payload: false, ...retried };
}
