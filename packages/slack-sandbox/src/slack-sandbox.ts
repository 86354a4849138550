import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { toBotUserName } from './apps/app.ts';
import type { AppDescription, DeliveryOption } from './apps/app-description.ts';
import { findApp } from './apps/find-app.ts';
import { readManifests, serveApp } from './apps/serve-apps.ts';
import { createClock } from './clock.ts';
import { listAppSettings } from './control/app-settings.ts';
import type { Companion } from './control/companion.ts';
import { controlRoutes } from './control/control-routes.ts';
import { type Core, createCores } from './core.ts';
import { forwardMessageEvents, forwardUnsharedFiles } from './delivery/app-events.ts';
import { forwardMetadataEvents } from './delivery/metadata-events.ts';
import type { GuideStep, ReadNext } from './guide.ts';
import { createIdGenerator } from './id-generator.ts';
import { oauthRoutes } from './oauth/oauth-routes.ts';
import { mountPage } from './page/mount-page.ts';
import { permalinkRoutes } from './page/permalink-routes.ts';
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
  /** Path of the app's manifest (YAML or JSON), or the manifest itself. Without one, the app may do everything. */
  readonly manifest?: string | object | undefined;
  /** Several apps, in place of `manifest` and `delivery`. Defaults to those that the seed names. */
  readonly apps?: readonly AppDescription[];
  /** The workspaces: the path of a YAML or JSON file, or the description itself. Defaults to Acme and Globex. */
  readonly seed?: string | World;
  /** How payloads are delivered to the app. Defaults to `socket`. */
  readonly delivery?: DeliveryOption;
  /**
   * Returns the time in epoch ms. If it never changes, the clock advances only through `POST
   * /sandbox/clock`.
   */
  readonly now?: () => number;
  /** Called when someone advances the clock, so that the app's clock can follow. */
  readonly onClockAdvanced?: (ms: number) => void;
  /** Called with the text of each message that an app posts or edits, such as to complete a step of the guide. */
  readonly onAppMessage?: (text: string) => void;
  /** Whether the sandbox keeps the process running. Defaults to true. */
  readonly keepsProcessAlive?: boolean;
  /** Steps of the guide, in order. The caller marks them as completed. */
  readonly guide?: readonly GuideStep[];
  /** The closing text of the guide. */
  readonly readNext?: ReadNext;
  /** A service beside the workspace. The page offers its faults too. */
  readonly companion?: Companion;
}

/** One of the sandbox's apps. */
export interface SandboxApp extends Pick<SlackSandbox, 'env' | 'notes'> {
  readonly id: string;
  readonly name: string;
}

export interface SlackSandbox {
  /** URL without a trailing slash. The Web API is below `/api/`, and the control API below `/sandbox/`. */
  readonly url: string;
  readonly port: number;
  /** Settings of the first app in the first workspace, under their usual names such as `SLACK_BOT_TOKEN`. */
  readonly env: Readonly<Record<string, string>>;
  /** What the sandbox won't do for the first app, one sentence each: unknown and uncovered parts of its manifest. */
  readonly notes: readonly string[];
  /** All apps, in the order of their manifests. */
  readonly apps: readonly SandboxApp[];
  readonly guide: {
    /** Marks a step as completed. Has no effect the second time, or if the ID is unknown. */
    completeStep(id: string): void;
  };
  /** Adds a redirect URL that OAuth allows for the first app, like in its settings at Slack. */
  allowRedirect(url: string): void;
  close(): Promise<void>;
}

/**
 * Slack's own names, to which apps address their requests if `slack-sandbox/register` redirects
 * their connections. No website can claim these names.
 */
const slackHosts: readonly string[] = ['slack.com', 'files.slack.com', 'hooks.slack.com'];

function reportAppMessages(core: Core, onAppMessage: (text: string) => void): void {
  core.changes.subscribe((change) => {
    const isMessage = change.kind === 'message_posted' || change.kind === 'message_changed';
    if (isMessage && change.message.bot_id !== undefined) onAppMessage(change.message.text);
  });
}

/** Starts a local Slack workspace. Throws if the manifest is invalid or the port is in use. */
export async function createSlackSandbox(options: SlackSandboxOptions): Promise<SlackSandbox> {
  const { port, host = '127.0.0.1', now, companion } = options;
  const world = options.seed === undefined ? undefined : readWorld(options.seed);
  const described = listApps(options, world?.apps ?? []);
  const manifests = readManifests(described);
  const seeds = world?.createSeeds(manifests.map(({ botName }) => toBotUserName(botName))) ?? workspaceSeeds;
  const clock = createClock(now);
  const ids = createIdGenerator(clock);
  const traffic = createTrafficLog(clock);
  let url = '';
  const apps = manifests.map((manifest, index) =>
    serveApp(manifest, index + 1, described[index]?.delivery ?? 'socket', { clock, ids, traffic }),
  );
  const guide = { steps: options.guide ?? [], readNext: options.readNext };
  const baseUrl = () => url;
  const { onClockAdvanced } = options;
  const cores = createCores({ clock, ids, apps, seeds, traffic, guide, companion, onClockAdvanced, baseUrl });
  const [core] = cores;
  if (!core) throw new Error('No app is served');
  forwardUnsharedFiles(core);
  for (const each of cores) {
    if (options.onAppMessage) reportAppMessages(each, options.onAppMessage);
    forwardMessageEvents(each);
    forwardMetadataEvents(each);
  }
  const server = createAdaptorServer({
    fetch: createRoutes(core, [host, ...slackHosts, ...(options.allowedHosts ?? [])]).fetch,
    overrideGlobalObjects: false,
  });
  server.on('upgrade', (request, socket, head) => {
    const { searchParams } = new URL(request.url ?? '/', 'ws://sandbox');
    const { sockets } = findApp(cores, searchParams.get('app_id') ?? '') ?? core;
    sockets.handleUpgrade(request, socket, head);
  });
  if (options.keepsProcessAlive === false && 'unref' in server) server.unref();
  const heldPort = await listen(server, port, host);
  url = `http://${host.includes(':') ? `[${host}]` : host}:${heldPort}`;
  return {
    url,
    port: heldPort,
    env: listAppSettings(core, core.workspaces()[0]),
    notes: core.manifest.notes,
    apps: cores.map((each) => ({
      id: each.app.id,
      name: each.manifest.name,
      env: listAppSettings(each, each.workspaces()[0]),
      notes: each.manifest.notes,
    })),
    guide: core.guide,
    allowRedirect: (address) => void core.redirectUrls.add(address),
    async close() {
      clock.stop();
      for (const { events, sockets } of cores) {
        events.clear();
        sockets.close();
      }
      const closed = new Promise((resolve) => server.close(resolve));
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
}

function listApps(
  { manifest, delivery, apps }: SlackSandboxOptions,
  described: readonly AppDescription[],
): readonly AppDescription[] {
  if (apps) return apps;
  return manifest === undefined && described.length > 0 ? described : [{ manifest, delivery }];
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
    .route('/', oauthRoutes(core))
    .route('/', permalinkRoutes(core));
  mountPage(app);
  app.notFound((c) => c.json({ error: `There is nothing at ${c.req.path}` }, 404));
  app.onError((error, c) => c.json({ ok: false, error: 'fatal_error', detail: error.message }, 500));
  return app;
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
