import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { RedisServer } from '../services/redis.ts';

type Fate = 'pass' | 'cut' | 'swallow';

/** Starts what stands between clients and Redis, and decides of each request whether Redis or its client hears no more of it. */
export async function startProxy({ url }: RedisServer, decide: (request: Buffer) => Fate) {
  const redis = new URL(url);
  const server = createServer((client) => {
    let isSilent = false;
    const upstream = connect(Number(redis.port), redis.hostname);
    client.on('data', (request) => {
      const fate = isSilent ? 'swallow' : decide(request);
      if (fate === 'swallow') isSilent = true;
      if (isSilent) return;
      if (fate === 'cut') {
        // Redis does what it was asked, and nobody hears its answer.
        upstream.removeAllListeners('data');
        client.destroy();
        upstream.end(request);
      } else upstream.write(request);
    });
    upstream.on('data', (answer) => {
      if (!isSilent) client.write(answer);
    });
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => upstream.end());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return { url: `redis://127.0.0.1:${address.port}`, close: () => server.close() };
}
