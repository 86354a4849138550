import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { RedisServer } from '../../../services/redis.ts';

type ProxyAction = 'pass' | 'cut' | 'swallow';

/**
 * Starts a proxy to Redis. For each request, `decide` says whether to pass it on, to cut the
 * connection after it, or to swallow it and all later requests.
 */
export async function startRedisProxy({ url }: RedisServer, decide: (request: Buffer) => ProxyAction) {
  const redis = new URL(url);
  const server = createServer((client) => {
    let isSilent = false;
    const upstream = connect(Number(redis.port), redis.hostname);
    client.on('data', (request) => {
      const action = isSilent ? 'swallow' : decide(request);
      if (action === 'swallow') isSilent = true;
      if (isSilent) return;
      if (action === 'cut') {
        // Redis executes the request, but the client gets no reply.
        upstream.removeAllListeners('data');
        client.destroy();
        upstream.end(request);
      } else upstream.write(request);
    });
    upstream.on('data', (reply) => {
      if (!isSilent) client.write(reply);
    });
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => upstream.end());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return { url: `redis://127.0.0.1:${address.port}`, close: () => server.close() };
}
