import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { createClock } from './clock.ts';
import { listAppSettings } from './control/app-settings.ts';
import type { Companion } from './control/companion.ts';
import { controlRoutes } from './control/control-routes.ts';
import { type Core, createCore } from './core.ts';
import { forwardMessageEvents } from './delivery/app-events.ts';
import { createHttpTransport } from './delivery/http-transport.ts';
import { forwardMetadataEvents } from './delivery/metadata-events.ts';
import { createSocketTransport } from './delivery/socket-transport.ts';
import type { GuideStep, ReadNext } from './guide.ts';
import { createIdGenerator } from './id-generator.ts';
import { readManifest } from './manifest.ts';
import { oauthRoutes } from './oauth/oauth-routes.ts';
import { mountPage } from './page/mount-page.ts';
import { rejectChangesWithoutJson, rejectForeignRequests } from './page-kit/local-requests.ts';
import { incomingWebhookRoutes } from './posting/incoming-webhook-routes.ts';
import { responseUrlRoutes } from './posting/response-url-routes.ts';
import { createTrafficLog } from './traffic/traffic-log.ts';
import { fileRoutes } from './web-api/file-routes.ts';
import { webApiRoutes } from './web-api/web-api-routes.ts';
import { workspaceSeeds } from './workspace/seed.ts';
import { readWorld } from './world/read-world.ts';
import type { World } from './world/world.ts';

export interface SlackSandboxOptions {
  /** If 0, a free port is used. */
  readonly port: number;
  readonly host?: string;
  /** Host names to which requests can be addressed, besides localhost and IP addresses. */
  readonly allowedHosts?: readonly string[];
  /** Path of the app's manifest (YAML or JSON), or the manifest itself. */
  readonly manifest: string | object;
  /** The workspaces: the path of a YAML or JSON file, or the description itself. Defaults to Acme and Globex. */
  readonly seed?: string | World;
  /** How payloads are delivered: over Socket Mode, or as signed requests to the URL after `http:`. */
  readonly delivery?: 'socket' | `http:${string}`;
  /**
   * Returns the time in epoch ms. If it never changes, the clock advances only through `POST
   * /sandbox/clock`.
   */
  readonly now?: () => number;
  /** Whether the sandbox keeps the process running. Defaults to true. */
  readonly keepsProcessAlive?: boolean;
  /** Steps of the guide, in order. The caller marks them as completed. */
  readonly guide?: readonly GuideStep[];
  /** The closing text of the guide. */
  readonly readNext?: ReadNext;
  /** A service beside the workspace. The page offers its faults too. */
  readonly companion?: Companion;
}

export interface SlackSandbox {
  /** URL without a trailing slash. The Web API is below `/api/`, and the control API below `/sandbox/`. */
  readonly url: string;
  readonly port: number;
  /** Settings of an app in the first workspace, under their usual names such as `SLACK_BOT_TOKEN`. */
  readonly env: Readonly<Record<string, string>>;
  /** What the sandbox won't do for this app, one sentence each: unknown and uncovered parts of its manifest. */
  readonly notes: readonly string[];
  readonly guide: {
    /** Marks a step as completed. Has no effect the second time, or if the ID is unknown. */
    completeStep(id: string): void;
  };
  /** Adds a redirect URL that OAuth allows, like in the app's settings at Slack. */
  allowRedirect(url: string): void;
  close(): Promise<void>;
}

/**
 * Slack's own names, to which apps address their requests if `slack-sandbox/register` redirects
 * their connections. No website can claim these names.
 */
const slackHosts: readonly string[] = ['slack.com', 'files.slack.com', 'hooks.slack.com'];

/** Starts a local Slack workspace. Throws if the manifest is invalid or the port is in use. */
export async function createSlackSandbox(options: SlackSandboxOptions): Promise<SlackSandbox> {
  const { port, host = '127.0.0.1', delivery = 'socket', now, companion } = options;
  const manifest = readManifest(options.manifest);
  const seeds = options.seed === undefined ? workspaceSeeds : readWorld(options.seed);
  const clock = createClock(now);
  const ids = createIdGenerator(clock);
  const traffic = createTrafficLog(clock);
  const appUrl = parseDelivery(delivery);
  const http = appUrl === undefined ? undefined : createHttpTransport(appUrl, traffic);
  const sockets = createSocketTransport({ clock, ids, traffic, isEnabled: http === undefined });
  let url = '';
  const guide = { steps: options.guide ?? [], readNext: options.readNext };
  const baseUrl = () => url;
  const core = createCore({ clock, ids, manifest, seeds, traffic, sockets, http, guide, companion, baseUrl });
  forwardMessageEvents(core);
  forwardMetadataEvents(core);
  const server = createAdaptorServer({
    fetch: createRoutes(core, [host, ...slackHosts, ...(options.allowedHosts ?? [])]).fetch,
    overrideGlobalObjects: false,
  });
  server.on('upgrade', sockets.handleUpgrade);
  if (options.keepsProcessAlive === false && 'unref' in server) server.unref();
  const heldPort = await listen(server, port, host);
  url = `http://${host.includes(':') ? `[${host}]` : host}:${heldPort}`;
  return {
    url,
    port: heldPort,
    env: listAppSettings(core, core.workspaces()[0]),
    notes: manifest.notes,
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

function createRoutes(core: Core, allowedHosts: readonly string[]): Hono {
  const app = new Hono()
    .use(rejectForeignRequests(allowedHosts))
    .route('/api', webApiRoutes(core))
    .use('/sandbox/*', rejectChangesWithoutJson)
    .route('/sandbox', controlRoutes(core))
    .route('/', responseUrlRoutes(core))
    .route('/', incomingWebhookRoutes(core))
    .route('/', fileRoutes(core))
    .route('/', oauthRoutes(core));
  mountPage(app);
  app.notFound((c) => c.json({ error: `There is nothing at ${c.req.path}` }, 404));
  app.onError((error, c) => c.json({ ok: false, error: 'fatal_error', detail: error.message }, 500));
  return app;
}

function parseDelivery(delivery: string): string | undefined {
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
