import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { RackhandError } from '../error.ts';

/** One thing that the server answers. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** Without a query. */
  readonly path: string;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void> | void;
}

/** Where a server listens. */
export interface ListenAddress {
  /** 0 takes a free one. */
  readonly port: number;
  /** All addresses where it is left out. */
  readonly host?: string;
}

export interface Server {
  /** Listens, and gives the port. Throws `setting_invalid` where it cannot, such as at a port that is taken. */
  start(): Promise<number>;
  /** Takes nothing more, and resolves when what is under way has been answered. */
  stop(): Promise<void>;
}

/** Creates the one HTTP server of this process. */
export function createHttpServer(
  routes: readonly Route[],
  { port, host }: ListenAddress,
  log: Pick<Logger, 'error'>,
): Server {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Whose name the request carries does not matter here, and it may carry none that can be read.
    const [path = ''] = (request.url ?? '').split('?', 1);
    const known = routes.filter((route) => route.path === path);
    const route = known.find(({ method }) => method === request.method);
    if (!route) {
      response.writeHead(known.length > 0 ? 405 : 404).end();
      return;
    }
    try {
      await route.handle(request, response);
    } catch (error) {
      log.error({ err: error, path }, 'a request could not be answered');
      if (response.headersSent) response.end();
      else response.writeHead(500).end();
    }
  }

  const server = createServer(answer);

  return {
    start: () =>
      new Promise((resolve, reject) => {
        const refuse = (cause: Error) => reject(cannotListen(cause, port));
        server.once('error', refuse);
        server.listen({ port, host }, () => {
          server.off('error', refuse);
          const address = server.address();
          resolve(typeof address === 'object' && address !== null ? address.port : port);
        });
      }),
    stop: () =>
      new Promise((resolve, reject) => {
        if (!server.listening) return resolve();
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeIdleConnections();
      }),
  };
}

function cannotListen(cause: Error, port: number): RackhandError {
  const code = 'code' in cause ? String(cause.code) : 'no reason given';
  return new RackhandError('setting_invalid', `Nothing can be listened to on PORT ${port} (${code}).`, {
    cause,
  });
}
