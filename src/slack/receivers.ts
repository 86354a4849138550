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
import type { SlackDelivery } from '../config.ts';
import type { Metrics } from '../server/metrics.ts';
import type { Route } from '../server/server.ts';
import { createSignedRequests } from './signed-requests.ts';

/** Connections per process: while Slack renews one, which leaves it silent for seconds, the other listens. */
const socketConnections = 2;

/** Where Slack delivers to over HTTP. */
export const deliveryPath = '/slack/events';

/** Takes what Slack delivers. */
export interface Receivers extends Receiver {
  /** What the server answers for them. */
  readonly routes: readonly Route[];
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Tells how many connections to Slack are open; over HTTP there are none. */
  connections(): number;
  /** Whether what Slack delivers can arrive. */
  isReady(): boolean;
}

interface ReceiverParts {
  readonly apiUrl: string;
  readonly logger: Logger;
  readonly log: Pick<Log, 'warn'>;
  readonly metrics: Pick<Metrics, 'acked' | 'payloadRefused'>;
}

/** Creates the receivers of a delivery: for signed HTTP, which the server passes on, or connections for Socket Mode. */
export function createReceivers(delivery: SlackDelivery, parts: ReceiverParts): Receivers {
  return delivery.mode === 'http' ? httpReceiver(delivery, parts) : socketReceivers(delivery, parts);
}

function httpReceiver(
  { signingSecret }: Extract<SlackDelivery, { mode: 'http' }>,
  { logger, log, metrics }: ReceiverParts,
): Receivers {
  const receiver = new HTTPReceiver({ signingSecret, logger, endpoints: deliveryPath });
  const read = createSignedRequests(signingSecret);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const signed = await read(request);
    if (!signed.ok) {
      metrics.payloadRefused(signed.why);
      log.warn({ reason: signed.why }, "a request in Slack's name was refused");
      response.writeHead(signed.why === 'too_large' ? 413 : 401, { connection: 'close' }).end();
      return;
    }
    response.once('close', () => {
      // Slack delivers again what was not taken, and may do so within the same second.
      if (!response.writableFinished || response.statusCode >= 300) signed.release();
    });
    receiver.requestListener(Object.assign(request, { rawBody: signed.body }), response);
  }

  return {
    routes: [{ method: 'POST', path: deliveryPath, handle }],
    init: (app) => receiver.init(timed(app, metrics)),
    start: async () => undefined,
    stop: async () => undefined,
    connections: () => 0,
    isReady: () => true,
  };
}

function socketReceivers(
  { appToken }: Extract<SlackDelivery, { mode: 'socket' }>,
  { apiUrl, logger, metrics }: ReceiverParts,
): Receivers {
  const clientOptions = { slackApiUrl: apiUrl };
  const receivers = Array.from(
    { length: socketConnections },
    () => new SocketModeReceiver({ appToken, logger, installerOptions: { clientOptions } }),
  );
  const connections = () => receivers.filter(({ client }) => client.websocket?.isActive()).length;
  return {
    routes: [],
    init(app) {
      for (const receiver of receivers) receiver.init(timed(app, metrics));
    },
    async start() {
      await Promise.all(receivers.map((receiver) => receiver.start()));
    },
    async stop() {
      // The receiver's own stop does not wait for the connection to be closed.
      await Promise.all(receivers.map(({ client }) => client.disconnect()));
    },
    connections,
    isReady: () => connections() > 0,
  };
}

/** Lets an app be fed as before, and counts how long its acks take. */
function timed(app: App, metrics: Pick<Metrics, 'acked'>): App {
  function processEvent(event: ReceiverEvent): Promise<void> {
    const startedMs = performance.now();
    return app.processEvent({
      ...event,
      ack(response) {
        metrics.acked(kindOf(event.body), performance.now() - startedMs);
        return event.ack(response);
      },
    });
  }
  return Object.create(app, { processEvent: { value: processEvent } });
}

/** Slack's names for what people do; whatever else it may send is `other`. */
const interactions: ReadonlySet<unknown> = new Set([
  'block_actions',
  'block_suggestion',
  'message_action',
  'shortcut',
  'view_closed',
  'view_submission',
]);

function kindOf({ command, event, type }: ReceiverEvent['body']): string {
  if (command !== undefined) return 'command';
  if (event !== undefined) return 'event';
  return interactions.has(type) ? type : 'other';
}
