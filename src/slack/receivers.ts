import { type App, HTTPReceiver, type Logger, type Receiver, SocketModeReceiver } from '@slack/bolt';
import type { SlackDelivery } from '../config.ts';

/** Connections per process: while Slack renews one, which leaves it silent for seconds, the other listens. */
const socketConnections = 2;

/** Takes what Slack delivers. */
export interface Receivers {
  /** The one that the app is created with. */
  readonly first: Receiver;
  /** Lets the others feed the same app. */
  attach(app: App): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Creates the receivers of a delivery: a server for signed HTTP, or connections for Socket Mode. */
export function createReceivers(
  delivery: SlackDelivery,
  { apiUrl, logger }: { apiUrl: string; logger: Logger },
): Receivers {
  return delivery.mode === 'http'
    ? httpReceiver(delivery, logger)
    : socketReceivers(delivery.appToken, apiUrl, logger);
}

function httpReceiver(
  { signingSecret, port, host }: Extract<SlackDelivery, { mode: 'http' }>,
  logger: Logger,
): Receivers {
  const first = new HTTPReceiver({ signingSecret, port, logger });
  return {
    first,
    attach() {},
    async start() {
      await first.start({ port, host });
    },
    stop: () => first.stop(),
  };
}

function socketReceivers(appToken: string, apiUrl: string, logger: Logger): Receivers {
  const clientOptions = { slackApiUrl: apiUrl };
  const create = () => new SocketModeReceiver({ appToken, logger, installerOptions: { clientOptions } });
  const first = create();
  const others = Array.from({ length: socketConnections - 1 }, create);
  const all = [first, ...others];
  return {
    first,
    attach(app) {
      for (const other of others) other.init(app);
    },
    async start() {
      await Promise.all(all.map((receiver) => receiver.start()));
    },
    async stop() {
      // The receiver's own stop does not wait for the connection to be closed.
      await Promise.all(all.map((receiver) => receiver.client.disconnect()));
    },
  };
}
