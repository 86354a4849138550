import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps the number of open connections of a server below a limit. The connection that has waited
 * longest for a whole request is closed for a new one, so that slow connections can't keep Slack
 * out.
 */
export function limitConnections(server: Server, maxConnections: number): void {
  /** Connections without a request that is being answered, the longest waiting first. */
  const waiting = new Set<Socket>();
  let openCount = 0;

  server.on('connection', (socket: Socket) => {
    openCount += 1;
    if (openCount > maxConnections) {
      const [longest = socket] = waiting;
      waiting.delete(longest);
      longest.destroy();
    }
    if (!socket.destroyed) waiting.add(socket);
    socket.once('close', () => {
      openCount -= 1;
      waiting.delete(socket);
    });
  });
  server.on('request', (request: IncomingMessage, response) => {
    const { socket } = request;
    request.once('end', () => waiting.delete(socket));
    response.once('finish', () => {
      if (!socket.destroyed) waiting.add(socket);
    });
  });
}
