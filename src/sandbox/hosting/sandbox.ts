import { once } from 'node:events';
import { createAdaptorServer } from '@hono/node-server';
import type { PathOverrides } from '../../hosting/endpoints/contract.ts';
import { createApp } from './app.ts';
import { createService } from './service.ts';
import type { ServiceEvent } from './service-events.ts';

export interface HostingSandboxOptions {
  /** If 0, a free port is used. */
  readonly port: number;
  readonly host?: string;
  /** Host names that requests can be addressed to, besides localhost and IP addresses. */
  readonly allowedHosts?: readonly string[];
  /** Returns the time in epoch ms. States, quota windows and metrics depend on it. */
  readonly now?: () => number;
  /** Seed for everything random: names of resources, passwords, ports, metrics. */
  readonly seed?: number;
  /** Maximum number of calls that each key can make in any window. */
  readonly quota?: number;
  readonly windowMs?: number;
  readonly vpsCount?: number;
  /** Maximum number of snapshots per VPS. */
  readonly snapshotQuota?: number;
  /** Number of list entries per page. Defaults to 0, which turns paging off. */
  readonly pageSize?: number;
  /** Configured paths, by setting name, for routes whose path the API document doesn't specify. */
  readonly pathOverrides?: PathOverrides;
  /** How long every call takes, in real time. */
  readonly latencyMs?: number;
  /** Returns the Slack workspace's address, for a link on the page. */
  readonly slackUrl?: () => string | undefined;
}

export interface HostingSandbox {
  readonly url: string;
  readonly port: number;
  /** Stops the service immediately and closes all connections. */
  close(): Promise<void>;
  /** Subscribes to the service's events. Returns a function that unsubscribes. */
  subscribe(listener: (happening: ServiceEvent) => void): () => void;
  /** Restores the initial account, keys, quota windows, calls and faults. */
  reset(): void;
}

/**
 * Starts the hosting service in this process. It serves the whole REST API v1 for an account in
 * memory, with the keys `sandbox-key-full` and `sandbox-key-read`, and a control API under
 * `/sandbox`. Rejects if the port is in use.
 */
export async function createHostingSandbox({
  port,
  host = '127.0.0.1',
  now = Date.now,
  seed = 1,
  quota = 50,
  windowMs = 60_000,
  vpsCount = 12,
  snapshotQuota = 5,
  pageSize = 0,
  pathOverrides = {},
  latencyMs = 0,
  allowedHosts = [],
  slackUrl = () => undefined,
}: HostingSandboxOptions): Promise<HostingSandbox> {
  const service = createService({
    now,
    seed,
    quota,
    windowMs,
    vpsCount,
    snapshotQuota,
    pathOverrides,
    latencyMs,
    allowedHosts: [host, ...allowedHosts],
    paging: { size: pageSize, style: 'numbers' },
    slackUrl,
  });
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
    subscribe: service.events.subscribe,
    reset: service.reset,
  };
}
