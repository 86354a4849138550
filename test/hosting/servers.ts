import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A request as it stood on the wire. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface HttpServer {
  readonly url: string;
  /** Requests that were read to their end, in the order of their arrival. */
  readonly seen: readonly SeenRequest[];
  /** How many connections were accepted. */
  connections(): number;
}

/** Listens on a free port, or the given one, and ends the server with everything that is connected when the test ends. */
export async function serve(server: Server, port = 0): Promise<{ port: number; connections: () => number }> {
  const open = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    open.add(socket);
    // What the other side does to a connection is what these tests are about.
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

/** Starts an HTTP server that answers each request when it was read to its end. */
export async function startHttpServer(
  answer: (response: ServerResponse, request: SeenRequest) => void,
  { port }: { port?: number } = {},
): Promise<HttpServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const read = { method, path: url, headers, body: await text(request) };
    seen.push(read);
    answer(response, read);
  });
  const { port: ownPort, connections } = await serve(server, port);
  return { url: `http://127.0.0.1:${ownPort}`, seen, connections };
}

/** Starts a server that is given the bare connections. */
export async function startSocketServer(onConnection: (socket: Socket) => void) {
  const { port, connections } = await serve(createSocketServer(onConnection));
  return { port, url: `http://127.0.0.1:${port}`, connections };
}

/** Finds a port on which nothing listens. */
export async function findClosedPort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('The server had no port.');
  return address.port;
}

/** Answers with a status and a body: JSON, or a text as it is. */
export function respond(
  response: ServerResponse,
  status: number,
  body: unknown = { success: true, data: {} },
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
