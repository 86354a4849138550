import { type App, type Logger, SocketModeReceiver } from '@slack/bolt';

/** A Socket Mode connection. The client reopens it when it is lost. */
export interface SocketConnection {
  open(): Promise<void>;
  /** Closes the connection for good. To continue, create another one. */
  close(): Promise<void>;
  isActive(): boolean;
}

interface SocketConnectionOptions {
  readonly apiUrl: string;
  readonly logger: Logger;
  /** Receives the deliveries. */
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
  const { client } = receiver;
  const start = client.start.bind(client);
  let isClosed = false;
  // The client also calls `start` to reopen a lost connection, and doesn't handle a rejection. If it
  // is disconnected in the meantime, it rejects with `undefined`, or opens the connection anyway.
  client.start = async () => {
    try {
      const response = await start();
      if (isClosed) await client.disconnect();
      return response;
    } catch (error) {
      if (isClosed) return { ok: false };
      throw error;
    }
  };
  return {
    async open() {
      await client.start();
    },
    close() {
      isClosed = true;
      // The receiver's own `stop` doesn't wait until the connection is closed.
      return client.disconnect();
    },
    isActive: () => client.websocket?.isActive() ?? false,
  };
}
