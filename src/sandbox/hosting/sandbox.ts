import { once } from 'node:events';
import { createAdaptorServer } from '@hono/node-server';
import type { OpenPaths } from '../../hosting/contract.ts';
import { createApp } from './app.ts';
import type { Happening } from './happenings.ts';
import { createService } from './service.ts';

/** Says where the sandbox listens and what it is like. */
export interface HostingSandboxOptions {
  /** 0 for a free one. */
  readonly port: number;
  readonly host?: string;
  /** Milliseconds since 1970; states, quota windows and monitoring follow it. */
  readonly now?: () => number;
  /** Makes everything random: names of resources, passwords, ports, monitoring. */
  readonly seed?: number;
  /** Calls that a key may make in any window. */
  readonly quota?: number;
  readonly windowMs?: number;
  readonly vpsCount?: number;
  /** Where the routes are that the API document leaves open, by the name of their setting. */
  readonly openPaths?: OpenPaths;
  /** How long every call takes, in real time. */
  readonly latencyMs?: number;
}

/** Stands for a sandbox that is running. */
export interface HostingSandbox {
  readonly url: string;
  readonly port: number;
  /** Ends the service at once, with every connection that is still open. */
  close(): Promise<void>;
  /** Hears what happens at the service; the answer stops it. */
  watch(listener: (happening: Happening) => void): () => void;
  /** Puts everything back to the beginning: account, keys, quota windows, calls, faults. */
  reset(): void;
}

/**
 * Starts the hosting service in this process: the whole REST API v1 over an account in memory, with the keys
 * `sandbox-key-full` and `sandbox-key-read`, and a control API under `/sandbox`. Rejects when the port is taken.
 */
export async function createHostingSandbox({
  port,
  host = '127.0.0.1',
  now = Date.now,
  seed = 1,
  quota = 50,
  windowMs = 60_000,
  vpsCount = 12,
  openPaths = {},
  latencyMs = 0,
}: HostingSandboxOptions): Promise<HostingSandbox> {
  const service = createService({ now, seed, quota, windowMs, vpsCount, openPaths, latencyMs });
  const server = createAdaptorServer({ fetch: createApp(service).fetch, overrideGlobalObjects: false });
  server.listen(port, host);
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EADDRINUSE') throw cause;
    throw new Error(`Port ${port} of ${host} is in use by another process`, { cause });
  });
  const address = server.address();
  const boundPort = typeof address === 'object' && address ? address.port : port;

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    port: boundPort,
    async close() {
      const closed = once(server, 'close');
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
    watch: service.happenings.subscribe,
    reset: service.reset,
  };
}
