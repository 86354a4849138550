import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createControlClient } from '../../src/test-kit/control-client.ts';

/** Starts a server that answers `{}`, or closes the connection if `closes` says so. Returns its URL. */
async function listen(closes: (requestOfConnection: number) => boolean) {
  const requests = new Map<Socket, number>();
  const bodies: string[] = [];
  const server: Server = createServer(async (request, response) => {
    const { socket } = request;
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    if (closes(requests.get(socket) ?? 0)) {
      socket.destroy();
      return;
    }
    bodies.push(String((await request.toArray())[0]));
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { client: createControlClient(`http://127.0.0.1:${port}`), bodies };
}

test('a request on a connection that has just been closed is sent on a new one', async () => {
  const { client, bodies } = await listen((requestOfConnection) => requestOfConnection === 2);
  for (const text of ['first', 'second']) expect(await client.post('slash', { text })).toEqual({});
  expect(bodies).toEqual(['{"text":"first"}', '{"text":"second"}']);
});

test('a new connection that is closed is an error', async () => {
  const { client } = await listen(() => true);
  await expect(client.post('slash', {})).rejects.toMatchObject({ code: 'ECONNRESET' });
});
