import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

export interface FreezableProxy {
  /** The given URL with the proxy's port. */
  readonly url: string;
  /** Blocks the open connections without closing them. */
  freezeOpenConnections(): void;
  /** Blocks new connections too. */
  freezeNewConnections(isFrozen: boolean): void;
  /** Delays everything that the server sends from now on by this long. */
  delayReplies(delayMs: number): void;
  close(): Promise<void>;
}

/** Starts a TCP proxy on a free port of 127.0.0.1 that can go silent, as a lost network does. */
export async function startFreezableProxy(url: string): Promise<FreezableProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isNewFrozen = false;
  let delayMs = 0;
  const slowDown = () =>
    new Transform({
      transform(chunk, _encoding, done) {
        // Each reply waits on its own, so that delays don't add up.
        setTimeout(() => this.push(chunk), delayMs);
        done();
      },
      flush(done) {
        setTimeout(done, delayMs);
      },
    });
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined);
    if (isNewFrozen) return;
    const upstream = connect(Number(target.port), target.hostname);
    sockets.add(upstream);
    upstream.on('error', () => undefined);
    client.pipe(upstream).pipe(slowDown()).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const proxied = new URL(url);
  proxied.hostname = '127.0.0.1';
  proxied.port = String(address.port);
  return {
    url: proxied.href,
    freezeOpenConnections() {
      for (const socket of sockets) socket.unpipe().resume();
    },
    freezeNewConnections(isFrozen) {
      isNewFrozen = isFrozen;
    },
    delayReplies(ms) {
      delayMs = ms;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
