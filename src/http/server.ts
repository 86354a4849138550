import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { RackhandError } from '../errors.ts';

export interface Route {
  readonly method: 'GET' | 'POST';
  /** Path without the query. */
  readonly path: string;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void> | void;
}

export interface ListenAddress {
  /** 0 selects a free port. */
  readonly port: number;
  /** Defaults to all addresses. */
  readonly host?: string;
  /** The setting for the port, named in errors. Defaults to PORT. */
  readonly portSetting?: string;
}

export interface HttpServer {
  /**
   * Starts listening and resolves to the port. Throws `setting_invalid` if the server can't listen, for
   * example because the port is in use.
   */
  start(): Promise<number>;
  /** Stops accepting requests. Resolves when the current requests have been answered. */
  stop(): Promise<void>;
}

/** Time limit for an entire request to arrive. Slack and probes send theirs at once. */
const requestTimeoutMs = 10_000;

/** How long `stop` waits for incomplete requests to arrive and for complete requests to be answered. */
const lastRequestsMs = 3_000;

/** Maximum number of open connections. Slack and proxies reuse a few. */
const maxConnections = 10_000;

/**
 * Headers on every response. They keep browsers from loading resources for, framing or storing the response.
 * Pages replace the policy with their own.
 */
const defaultHeaders = new Map([
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cache-control', 'no-store'],
  // Browsers ignore this header over http://.
  ['strict-transport-security', 'max-age=31536000'],
]);

export function createHttpServer(
  routes: readonly Route[],
  address: ListenAddress,
  log: Pick<Logger, 'error'>,
): HttpServer {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeaders(defaultHeaders);
    // The URL isn't parsed, because its host isn't needed.
    const [path = ''] = (request.url ?? '').split('?', 1);
    // @slack/oauth parses the host, and fails with an error that would fill the log.
    if (!URL.canParse(`http://${request.headers.host}`)) {
      response.writeHead(400).end();
      return;
    }
    const candidates = routes.filter((route) => route.path === path);
    const route = candidates.find(({ method }) => method === request.method);
    if (!route) {
      response.writeHead(candidates.length > 0 ? 405 : 404).end();
      return;
    }
    try {
      await route.handle(request, response);
    } catch (error) {
      log.error({ err: error, path }, 'could not answer a request');
      if (response.headersSent) response.end();
      else response.writeHead(500).end();
    }
  }

  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: 1_000,
    },
    answer,
  );
  server.maxConnections = maxConnections;

  return {
    start: () =>
      new Promise((resolve, reject) => {
        const { port, host } = address;
        const fail = (cause: Error) => reject(listenError(cause, address));
        server.once('error', fail);
        server.listen({ port, host }, () => {
          server.off('error', fail);
          const bound = server.address();
          resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
        });
      }),
    stop: () =>
      new Promise((resolve, reject) => {
        if (!server.listening) return resolve();
        // Node.js keeps a connection open after its last response, or after receiving part of a request.
        const closingIdle = setInterval(() => server.closeIdleConnections(), 50);
        const closingAll = setTimeout(() => server.closeAllConnections(), lastRequestsMs);
        server.close((error) => {
          clearInterval(closingIdle);
          clearTimeout(closingAll);
          if (error) reject(error);
          else resolve();
        });
      }),
  };
}

/** Error codes for an unusable host. Any other code means that the port is the problem. */
const hostErrorCodes = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL'];

function listenError(cause: Error, { port, host, portSetting = 'PORT' }: ListenAddress): RackhandError {
  const code = 'code' in cause ? String(cause.code) : 'no reason given';
  const place =
    host !== undefined && hostErrorCodes.includes(code) ? `HOST ${host}` : `${portSetting} ${port}`;
  return new RackhandError('setting_invalid', `Can't listen on ${place} (${code}).`, { cause });
}
