import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { createClock } from './clock.ts';
import type { Companion } from './control/companion.ts';
import { controlRoutes } from './control/routes.ts';
import { type Core, createCore } from './core.ts';
import { createHttpTransport } from './delivery/http.ts';
import { createSocketTransport } from './delivery/socket.ts';
import { createTraffic } from './delivery/traffic.ts';
import type { GuideStep, ReadNext } from './guide.ts';
import { announceMessages } from './happenings.ts';
import { readManifest } from './manifest.ts';
import { createMint } from './mint.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { mountPage } from './page/routes.ts';
import { responseUrlRoutes } from './posting/response-url-routes.ts';
import { fileRoutes } from './web-api/file-routes.ts';
import { webApiRoutes } from './web-api/routes.ts';

export interface SlackSandboxOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host?: string;
  /** Path of the app's manifest, YAML or JSON, or the manifest itself. */
  readonly manifest: string | object;
  /** How payloads reach the app: Socket Mode, or signed requests to the URL after `http:`. */
  readonly delivery?: 'socket' | `http:${string}`;
  /** Milliseconds since 1970; a clock that stands still moves by `POST /sandbox/clock` alone. */
  readonly now?: () => number;
  /** Steps that the page leads a newcomer through, in this order; whoever knows that one is done ticks it. */
  readonly guide?: readonly GuideStep[];
  /** What the page names at the end of the guide. */
  readonly readNext?: ReadNext;
  /** What stands beside the workspace, whose faults the page offers as well. */
  readonly companion?: Companion;
}

export interface SlackSandbox {
  /** Without a slash at the end: the Web API is under `/api/`, the control API under `/sandbox/`. */
  readonly url: string;
  readonly port: number;
  readonly guide: {
    /** Ticks a step off, once; an id that is not known is ignored. */
    tick(id: string): void;
  };
  /** Lets Slack send people back to a URL of the app, as its settings at Slack do. */
  allowRedirect(url: string): void;
  close(): Promise<void>;
}

/** Starts a Slack workspace on this machine. Throws one error for a bad manifest, or for a port that is taken. */
export async function createSlackSandbox(options: SlackSandboxOptions): Promise<SlackSandbox> {
  const { port, host = '127.0.0.1', delivery = 'socket', now, companion } = options;
  const manifest = readManifest(options.manifest);
  const clock = createClock(now);
  const mint = createMint(clock);
  const traffic = createTraffic(clock);
  const appUrl = urlOf(delivery);
  const http = appUrl === undefined ? undefined : createHttpTransport(appUrl, traffic);
  const sockets = createSocketTransport({ clock, mint, traffic, isEnabled: http === undefined });
  let url = '';
  const guide = { steps: options.guide ?? [], readNext: options.readNext };
  const baseUrl = () => url;
  const core = createCore({ clock, mint, manifest, traffic, sockets, http, guide, companion, baseUrl });
  announceMessages(core);
  const server = createAdaptorServer({ fetch: routes(core).fetch, overrideGlobalObjects: false });
  server.on('upgrade', sockets.upgrade);
  const heldPort = await listen(server, port, host);
  url = `http://${host.includes(':') ? `[${host}]` : host}:${heldPort}`;
  return {
    url,
    port: heldPort,
    guide: core.guide,
    allowRedirect: (address) => void core.redirectUrls.add(address),
    async close() {
      clock.stop();
      core.events.clear();
      sockets.close();
      const closed = new Promise((resolve) => server.close(resolve));
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
}

function routes(core: Core): Hono {
  const app = new Hono()
    .route('/api', webApiRoutes(core))
    .route('/sandbox', controlRoutes(core))
    .route('/', responseUrlRoutes(core))
    .route('/', fileRoutes(core))
    .route('/', oauthRoutes(core));
  mountPage(app);
  app.notFound((c) => c.json({ error: `There is nothing at ${c.req.path}` }, 404));
  app.onError((error, c) => c.json({ ok: false, error: 'fatal_error', detail: error.message }, 500));
  return app;
}

function urlOf(delivery: string): string | undefined {
  if (delivery === 'socket') return undefined;
  const url = /^http:(?!\/\/)/.test(delivery) ? delivery.slice('http:'.length) : delivery;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Error(`The delivery is "socket" or "http:" and the app's URL, not ${JSON.stringify(delivery)}`);
  }
  return url;
}

function listen(server: ReturnType<typeof createAdaptorServer>, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const isTaken = 'code' in cause && cause.code === 'EADDRINUSE';
      reject(isTaken ? new Error(`Port ${port} of ${host} is in use by another process`, { cause }) : cause);
    });
    server.listen(port, host, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('The server has no port'));
      else resolve(address.port);
    });
  });
}
