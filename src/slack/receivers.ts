import { type App, HTTPReceiver, type Logger, type Receiver, SocketModeReceiver } from '@slack/bolt';
import type { SlackDelivery } from '../config.ts';

/** Connections per process: while Slack renews one, which leaves it silent for seconds, the other listens. */
const socketConnections = 2;

/** Takes what Slack delivers. The first is the app's own; the others feed the same app. */
export function createReceivers(
  delivery: SlackDelivery,
  { apiUrl, logger }: { apiUrl: string; logger: Logger },
): { receiver: Receiver; attachOthers: (app: App) => readonly Receiver[] } {
  if (delivery.mode === 'http') {
    const { signingSecret, port } = delivery;
    return { receiver: new HTTPReceiver({ signingSecret, port, logger }), attachOthers: () => [] };
  }
  const { appToken } = delivery;
  const connect = () =>
    new SocketModeReceiver({
      appToken,
      logger,
      installerOptions: { clientOptions: { slackApiUrl: apiUrl } },
    });
  return {
    receiver: connect(),
    attachOthers(app) {
      const others = Array.from({ length: socketConnections - 1 }, connect);
      for (const other of others) other.init(app);
      return others;
    },
  };
}
