import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../clock.ts';
import type { IdGenerator } from '../id-generator.ts';
import { getString, isObject, parseJson } from '../json.ts';
import type { SocketLine } from '../traffic/traffic-lines.ts';
import type { TrafficLog } from '../traffic/traffic-log.ts';
import { createRefreshQueue } from './refresh-queue.ts';
import type { AppResponse, Delivery, Transport } from './transport.ts';

/** Maximum number of open connections (docs.slack.dev/apis/events-api/using-socket-mode). */
const maxConnections = 10;
/** About how long Slack keeps a connection open. The message `hello` announces it. */
const connectionLifeSeconds = 3600;
/** How long before its expiry a connection is warned. */
const warningMs = 10_000;
const pingEveryMs = 10_000;
const ticketLifeMs = 30_000;
/** Status code of a server that shuts down (RFC 6455, 7.4.1). */
const goingAway = 1001;
/** How long an app can take to answer a close frame. Bolt 5 waits 30 s if it gets no answer to its own. */
const closeHandshakeMs = 500;

/**
 * Reasons for a `disconnect`: the connection expires soon, it should be renewed now, Socket Mode is
 * off, or there are too many connections.
 */
export const disconnectReasons = [
  'warning',
  'refresh_requested',
  'link_disabled',
  'too_many_websockets',
] as const;

type DisconnectReason = (typeof disconnectReasons)[number];

/** Delivers payloads over WebSockets that the app opens. */
export interface SocketTransport extends Transport {
  /** Creates a single-use ticket for opening a connection. */
  createTicket(): string;
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Breaks the oldest connection like a network failure does. Returns whether there was one. */
  dropConnection(): boolean;
  /** Asks the oldest connection to disconnect. Returns whether there was one. */
  requestDisconnect(reason: DisconnectReason): boolean;
  connectionCount(): number;
  /** Closes all connections. Those whose app doesn't answer are terminated. */
  close(): void;
}

interface Connection {
  /** Counts from 1 in the order in which connections are opened. */
  readonly number: number;
  readonly socket: WebSocket;
  readonly pending: Map<string, (answer: AppResponse) => void>;
  isClosing: boolean;
  /** Cancels the next message that the connection would get because of its age. */
  cancelTimer: () => void;
}

interface SocketTransportDependencies {
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly traffic: TrafficLog;
  readonly appId: string;
  /** Whether Socket Mode is on. If it is off, connections get `link_disabled`. */
  readonly isEnabled: boolean;
}

export function createSocketTransport({
  clock,
  ids,
  traffic,
  appId,
  isEnabled,
}: SocketTransportDependencies): SocketTransport {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Map<string, number>();
  const connections: Connection[] = [];
  let turn = 0;
  let opened = 0;

  const debugInfo = () => ({
    host: 'sandbox',
    build_number: 1,
    approximate_connection_time: connectionLifeSeconds,
  });
  const say = ({ socket }: Connection, message: object) => socket.send(JSON.stringify(message));

  const noteSocket = (kind: SocketLine['kind'], { number }: Connection, reason?: string) =>
    traffic.addSocketLine({
      kind,
      connection: number,
      connections: connections.length,
      ...(reason !== undefined && { reason }),
    });

  function tell(connection: Connection, reason: DisconnectReason) {
    noteSocket('disconnect', connection, reason);
    say(connection, { type: 'disconnect', reason, debug_info: debugInfo() });
    if (reason === 'warning') return;
    connection.isClosing = true;
    clock.schedule(warningMs, () => connection.socket.close());
  }

  const renewals = createRefreshQueue<Connection>((connection) => {
    tell(connection, 'warning');
    // Apps close a connection right after the warning, so anything sent on it later would be lost.
    connection.isClosing = connections.some((other) => other !== connection && !other.isClosing);
    connection.cancelTimer = clock.schedule(warningMs, () => tell(connection, 'refresh_requested'));
  });

  function accept(socket: WebSocket) {
    socket.on('error', () => socket.terminate());
    const connection: Connection = {
      number: ++opened,
      socket,
      pending: new Map(),
      isClosing: false,
      cancelTimer: () => undefined,
    };
    if (!isEnabled) return tell(connection, 'link_disabled');
    if (connections.length >= maxConnections) return tell(connection, 'too_many_websockets');
    connections.push(connection);
    noteSocket('opened', connection);
    say(connection, {
      type: 'hello',
      num_connections: connections.length,
      debug_info: debugInfo(),
      connection_info: { app_id: appId },
    });
    const ping = setInterval(() => socket.ping(), pingEveryMs).unref();
    connection.cancelTimer = clock.schedule(connectionLifeSeconds * 1000 - warningMs, () =>
      renewals.enqueue(connection),
    );
    socket.on('message', (data) => handleAcknowledgement(connection, data.toString()));
    socket.on('close', (code, reason) => {
      clearInterval(ping);
      connection.cancelTimer();
      connections.splice(connections.indexOf(connection), 1);
      noteSocket('closed', connection, [code, reason].join(' ').trim());
      for (const answer of connection.pending.values()) answer({ ok: false, failure: 'connection_closed' });
      renewals.onClosed(connection);
    });
    renewals.onOpened();
  }

  return {
    createTicket() {
      const ticket = ids.secret();
      tickets.set(ticket, clock.now() + ticketLifeMs);
      return ticket;
    },
    handleUpgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      const ticket = new URL(request.url ?? '/', 'ws://sandbox').searchParams.get('ticket') ?? '';
      const isValid = (tickets.get(ticket) ?? 0) >= clock.now();
      tickets.delete(ticket);
      if (!isValid) {
        traffic.addSocketLine({ kind: 'ticket_refused', connections: connections.length });
        return void socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
      }
      server.handleUpgrade(request, socket, head, accept);
    },
    send(delivery, exchange) {
      const open = connections.filter(
        ({ socket, isClosing }) => !isClosing && socket.readyState === socket.OPEN,
      );
      const connection = open[turn++ % open.length];
      if (!connection) return Promise.resolve({ ok: false, failure: 'unreachable' });
      const envelopeId = randomUUID();
      exchange.update({ envelope_id: envelopeId, connection: connection.number });
      say(connection, { envelope_id: envelopeId, ...buildEnvelope(delivery) });
      return new Promise((resolve) => connection.pending.set(envelopeId, resolve));
    },
    dropConnection() {
      const connection = connections.find(({ isClosing }) => !isClosing);
      if (!connection) return false;
      connection.isClosing = true;
      noteSocket('dropped', connection);
      connection.socket.terminate();
      return true;
    },
    requestDisconnect(reason) {
      const connection = connections.find(({ isClosing }) => !isClosing);
      if (connection) tell(connection, reason);
      return connection !== undefined;
    },
    connectionCount: () => connections.length,
    close() {
      for (const socket of server.clients) {
        socket.close(goingAway);
        setTimeout(() => socket.terminate(), closeHandshakeMs).unref();
      }
      server.close();
    },
  };
}

function handleAcknowledgement({ pending }: Connection, text: string) {
  const message = parseJson(text);
  const envelopeId = isObject(message) && getString(message, 'envelope_id');
  if (!isObject(message) || !envelopeId) return;
  pending.get(envelopeId)?.({ ok: true, payload: message.payload });
  pending.delete(envelopeId);
}

/** Interactions whose acknowledgement can contain a response. */
const typesWithResponse: ReadonlySet<unknown> = new Set(['view_submission', 'block_suggestion']);

function buildEnvelope({ kind, payload, retry }: Delivery): object {
  if (kind !== 'events_api') {
    return {
      payload,
      type: kind,
      accepts_response_payload: kind === 'slash_commands' || typesWithResponse.has(payload.type),
    };
  }
  const retried = { retry_attempt: retry?.attempt ?? 0, retry_reason: retry?.failure ?? '' };
  return { payload, type: kind, accepts_response_payload: false, ...retried };
}
