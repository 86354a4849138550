import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimit {
  /** Closes the connections that wait for a whole request. Requests that are being answered go on. */
  closeWaiting(): void;
}

/**
 * Keeps the number of open connections of a server below a limit. The connection that has waited
 * longest for a whole request is closed for a new one, so that slow connections can't keep Slack
 * out.
 */
export function limitConnections(server: Server, maxConnections: number): ConnectionLimit {
  /** The open connections with their current request, the one that has begun to wait first is first. */
  const open = new Map<Socket, IncomingMessage | undefined>();

  const listWaiting = () => [...open].filter(([, request]) => !request?.complete).map(([socket]) => socket);

  server.on('connection', (socket: Socket) => {
    if (open.size >= maxConnections) (listWaiting()[0] ?? socket).destroy();
    open.set(socket, undefined);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response) => {
    const { socket } = request;
    open.set(socket, request);
    response.once('finish', () => {
      // Node.js keeps it open for further requests, although the server has stopped accepting them.
      if (!server.listening) socket.end();
      if (open.delete(socket)) open.set(socket, undefined);
    });
  });
  return {
    closeWaiting() {
      for (const socket of listWaiting()) socket.destroy();
    },
  };
}
