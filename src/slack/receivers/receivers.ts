import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type App,
  HTTPReceiver,
  type Logger,
  type Receiver,
  type ReceiverEvent,
  SocketModeReceiver,
} from '@slack/bolt';
import type { Logger as Log } from 'pino';
import type { SlackDelivery } from '../../config.ts';
import type { Metrics } from '../../http/metrics.ts';
import type { Route } from '../../http/server.ts';
import { spans } from '../../tracing/spans.ts';
import { createRequestVerifier, type RequestRejection } from './request-verifier.ts';

/** How many connections a process opens. While Slack takes seconds to renew one, the other receives deliveries. */
const socketConnections = 2;

/** HTTP statuses of rejected requests. Other rejections get 401. */
const rejectionStatuses: Partial<Record<RequestRejection, number>> = {
  unsupported_type: 415,
  too_large: 413,
  too_slow: 408,
  overloaded: 503,
};

export const deliveryPath = '/slack/events';

export interface Receivers extends Receiver {
  /** Routes to serve. Empty with Socket Mode. */
  readonly routes: readonly Route[];
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Returns whether deliveries can arrive. */
  isReady(): boolean;
}

interface ReceiverDependencies {
  readonly apiUrl: string;
  readonly logger: Logger;
  readonly log: Pick<Log, 'warn' | 'debug'>;
  readonly metrics: Pick<Metrics, 'acked' | 'redelivered' | 'measure' | 'requestRejected'>;
}

/** Creates either a receiver for signed HTTP, whose route the server has to serve, or two Socket Mode connections. */
export function createReceivers(delivery: SlackDelivery, dependencies: ReceiverDependencies): Receivers {
  return delivery.mode === 'http'
    ? createHttpReceiver(delivery, dependencies)
    : createSocketReceivers(delivery, dependencies);
}

function createHttpReceiver(
  { signingSecret }: Extract<SlackDelivery, { mode: 'http' }>,
  { logger, log, metrics }: ReceiverDependencies,
): Receivers {
  const verify = createRequestVerifier(signingSecret);
  // `verify` has checked the signature before Bolt gets the request.
  const receiver = new HTTPReceiver({
    signingSecret,
    logger,
    endpoints: deliveryPath,
    signatureVerification: false,
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const signed = await verify(request);
    if (signed.kind === 'invalid') {
      // Nobody reads the response to a request that its sender aborted.
      if (signed.reason === 'aborted') return log.debug('a request was aborted by its sender');
      metrics.requestRejected(signed.reason);
      log.warn({ reason: signed.reason }, "a request in Slack's name was rejected");
      response.writeHead(rejectionStatuses[signed.reason] ?? 401, { connection: 'close' }).end();
      return;
    }
    response.once('close', () => {
      // Slack redelivers a failed request, sometimes within the same second and thus with the same signature.
      if (!response.writableFinished || response.statusCode >= 300) signed.forget();
    });
    receiver.requestListener(Object.assign(request, { rawBody: signed.body }), response);
  }

  return {
    routes: [{ method: 'POST', path: deliveryPath, handle }],
    init: (app) => receiver.init(trackAcks(app, metrics)),
    start: async () => undefined,
    stop: async () => undefined,
    isReady: () => true,
  };
}

function createSocketReceivers(
  delivery: Extract<SlackDelivery, { mode: 'socket' }>,
  { apiUrl, logger, metrics }: ReceiverDependencies,
): Receivers {
  let app: App | undefined;
  let connections: readonly SocketConnection[] = [];
  const connectionCount = () => connections.filter((connection) => connection.isActive()).length;
  metrics.measure({ connections: connectionCount });
  async function open(): Promise<void> {
    connections = Array.from({ length: socketConnections }, () =>
      createSocketConnection(delivery, { apiUrl, logger, app }),
    );
    try {
      await Promise.all(connections.map((connection) => connection.open()));
    } catch (error) {
      await close();
      throw error;
    }
  }
  async function close(): Promise<void> {
    await Promise.all(connections.map((connection) => connection.close()));
  }
  return {
    routes: [],
    init(started) {
      app = trackAcks(started, metrics);
    },
    start: open,
    stop: close,
    isReady: () => connectionCount() > 0,
  };
}

/** Returns a wrapper around the app that measures the time to each ack. */
function trackAcks(app: App, metrics: Pick<Metrics, 'acked' | 'redelivered'>): App {
  async function processEvent(event: ReceiverEvent): Promise<void> {
    const startedMs = performance.now();
    const kind = toDeliveryKind(event.body);
    if (event.retryNum) metrics.redelivered(kind);
    const tracked: ReceiverEvent = {
      ...event,
      ack(response) {
        metrics.acked(kind, performance.now() - startedMs);
        return event.ack(response);
      },
    };
    await spans.tracePromise(() => app.processEvent(tracked), {
      name: `slack ${kind}`,
      kind: 'server',
      attributes: { 'slack.delivery': kind, 'slack.retry': event.retryNum },
      beginsTrace: true,
    });
  }

  return Object.create(app, { processEvent: { value: processEvent } });
}

/** Slack's interaction types. Any other type counts as `other`. */
const interactionTypes: ReadonlySet<unknown> = new Set([
  'block_actions',
  'block_suggestion',
  'message_action',
  'shortcut',
  'view_closed',
  'view_submission',
]);

function toDeliveryKind({ command, event, type }: ReceiverEvent['body']): string {
  if (command !== undefined) return 'command';
  if (event !== undefined) return 'event';
  return interactionTypes.has(type) ? type : 'other';
}

/** A Socket Mode connection. The client reopens a lost connection. */
interface SocketConnection {
  open(): Promise<void>;
  /** Closes the connection for good. To continue, create another one. */
  close(): Promise<void>;
  isActive(): boolean;
}

interface SocketConnectionOptions {
  readonly apiUrl: string;
  readonly logger: Logger;
  readonly app: App | undefined;
}

export function createSocketConnection(
  { appToken }: { readonly appToken: string },
  { apiUrl, logger, app }: SocketConnectionOptions,
): SocketConnection {
  const receiver = new SocketModeReceiver({
    appToken,
    logger,
    installerOptions: { clientOptions: { slackApiUrl: apiUrl } },
  });
  if (app) receiver.init(app);
  const { client: socketClient } = receiver;
  const start = socketClient.start.bind(socketClient);
  let isClosed = false;
  // The client also calls `start` to reopen a lost connection, and doesn't handle a rejection. If
  // the client is disconnected meanwhile, `start` rejects with `undefined`, or opens the connection
  // anyway.
  socketClient.start = async () => {
    try {
      const response = await start();
      if (isClosed) await socketClient.disconnect();
      return response;
    } catch (error) {
      if (isClosed) return { ok: false };
      throw error;
    }
  };
  return {
    async open() {
      await socketClient.start();
    },
    close() {
      isClosed = true;
      // Disconnects directly, because the receiver's own `stop` doesn't wait until the connection
      // is closed.
      return socketClient.disconnect();
    },
    isActive: () => socketClient.websocket?.isActive() ?? false,
  };
}
