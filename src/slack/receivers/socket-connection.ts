import { type App, type Logger, SocketModeReceiver } from '@slack/bolt';

/** A Socket Mode connection. The client reopens a lost connection. */
export interface SocketConnection {
  open(): Promise<void>;
  /** Closes the connection for good. To continue, create another one. */
  close(): Promise<void>;
  isActive(): boolean;
}

interface SocketConnectionOptions {
  readonly apiUrl: string;
  readonly logger: Logger;
  /** The app that gets the deliveries. */
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
