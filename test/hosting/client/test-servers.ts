import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A request as it was received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface TestHttpServer {
  readonly url: string;
  /** Requests that were received completely, in the order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  /** Returns how many connections were accepted. */
  connections(): number;
}

/** Listens on `port` or on a free port. Closes the server and its connections after the test. */
export async function startListening(
  server: Server,
  port = 0,
): Promise<{ port: number; connections: () => number }> {
  const open = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    open.add(socket);
    // The tests cause connection errors on purpose.
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of open) socket.destroy();
    await closed;
  });
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.');
  return { port: address.port, connections: () => accepted };
}

/** Starts an HTTP server that responds to each request once it was received completely. */
export async function startTestHttpServer(
  onRequest: (response: ServerResponse, request: ReceivedRequest) => void,
  { port }: { port?: number } = {},
): Promise<TestHttpServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const received = { method, path: url, headers, body: await text(request) };
    requests.push(received);
    onRequest(response, received);
  });
  const { port: usedPort, connections } = await startListening(server, port);
  return { url: `http://127.0.0.1:${usedPort}`, requests, connections };
}

/** Starts a server that passes each new connection to `onConnection`. */
export async function startTestSocketServer(onConnection: (socket: Socket) => void) {
  const { port, connections } = await startListening(createSocketServer(onConnection));
  return { port, url: `http://127.0.0.1:${port}`, connections };
}

/** Returns a port on which nothing listens. */
export async function findClosedPort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('The server had no port.');
  return address.port;
}

/** Sends a response with a status and a body. The body is sent as JSON unless it is text. */
export function respond(
  response: ServerResponse,
  status: number,
  body: unknown = { success: true, data: {} },
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
