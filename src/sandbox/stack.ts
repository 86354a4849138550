import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { createSlackSandbox, type SlackSandbox, type SlackSandboxOptions } from 'slack-sandbox';
import { type AppOptions, createApp, type GrantRef, type RackhandApp } from '../app.ts';
import type { AppSettings } from '../config.ts';
import { createSystemClock } from '../jobs/clock.ts';
import { identifyInstallation } from '../slack/client/identify-installation.ts';
import { createAdjustableClock } from './adjustable-clock.ts';
import { createGuideSteps, createReadNext, type GuideEvent } from './guide.ts';
import { createHostingSandbox, type HostingSandbox, type HostingSandboxOptions } from './hosting/sandbox.ts';

/** The sandbox's tokens, signing secret and keys. None of them has to be kept secret. */
const sandboxCredentials = {
  appToken: 'xapp-sandbox',
  signingSecret: 'sandbox-signing-secret',
  clientId: 'sandbox-client-id',
  clientSecret: 'sandbox-client-secret',
  apiKey: 'sandbox-key-full',
  workspaces: [
    { botToken: 'xoxb-sandbox-acme', isConnected: true },
    { botToken: 'xoxb-sandbox-globex', isConnected: false },
  ],
} as const;

export interface StackOptions {
  readonly hosting: HostingSandboxOptions;
  readonly slack: SlackSandboxOptions;
  readonly databaseUrl: string;
  /**
   * The port of the app's server. Defaults to a free port. Ignored if Slack delivers over HTTP,
   * because the delivery URL contains the port.
   */
  readonly appPort?: number;
  /** 32 bytes. Defaults to a random key, so encrypted data can't be read after a restart. */
  readonly encryptionKey?: Uint8Array;
  /** Rights in the first workspace. By default, members can view everything. */
  readonly grants?: readonly GrantRef[];
  /** Whether the app exchanges its tokens for rotating ones. */
  readonly migratesTokens?: boolean;
  /** Which workspaces can install the app. By default, all. */
  readonly allowedWorkspaces?: AppSettings['allowedWorkspaces'];
  /** Field mappings for the service's payloads, as in HOSTING_PROFILE. */
  readonly profile?: AppSettings['hosting']['profile'];
  /** The clock for reports and schedules. Defaults to the system clock. */
  readonly clock?: AppOptions['clock'];
  /** Whether the app and the hosting service follow the clock that people advance in the Slack workspace. */
  readonly followsSlackClock?: boolean;
  /** The machine's clock, as the app sees it. */
  readonly machineNow?: AppOptions['machineNow'];
  readonly stopGraceSeconds?: number;
  /** URL of the OTLP receiver for traces. By default, no traces are sent. */
  readonly otlpEndpoint?: string | undefined;
  /** How long a service response is shared with other people who ask for the same data. Defaults to 3 s. */
  readonly sharedReadMs?: number;
  /** How long a reply can take before a notice says that Rackhand is working on it. Defaults to 2 s. */
  readonly workingNoticeMs?: number;
  /** How long clicks on a message are ignored after it was edited. Defaults to 1.5 s. */
  readonly ignoreClicksMs?: number;
  /** Draws the graphs. Defaults to the app's own renderer. */
  readonly charts?: AppOptions['charts'];
  readonly log: Logger;
}

/** Default rights of members who don't own the first workspace. */
const defaultGrants: readonly GrantRef[] = [
  { grantee: 'U0BOB', right: 'view', pattern: '*' },
  { grantee: 'U0CAROL', right: 'view', pattern: '*' },
];

export interface RunningApp extends RackhandApp {
  /** URL of the app's server: health checks, metrics and the install page. */
  readonly url: string;
}

/** Everything that runs locally: a hosting service, a Slack workspace, and Rackhand between them. */
export interface Stack {
  readonly hosting: HostingSandbox;
  readonly slack: SlackSandbox;
  readonly app: RunningApp;
  close(): Promise<void>;
}

/**
 * Starts both sandboxes and the app. The app is installed in both workspaces, and the first
 * workspace has an API key.
 */
export async function createStack(given: StackOptions): Promise<Stack> {
  const options = given.followsSlackClock ? withSharedClock(given) : given;
  let slackUrl: string | undefined;
  const hosting = await createHostingSandbox({ ...options.hosting, slackUrl: () => slackUrl });
  const slack = await startSlack(options.slack, hosting).catch(async (error: unknown) => {
    await hosting.close();
    throw error;
  });
  slackUrl = slack.url;
  const app = await startApp(options, { hostingUrl: hosting.url, slackUrl: slack.url });
  slack.allowRedirect(`${app.url}/slack/oauth_redirect`);
  return {
    hosting,
    slack,
    app,
    async close() {
      await app.stop();
      await slack.close();
      await hosting.close();
    },
  };
}

/** Adds a clock that moves ahead whenever someone advances the Slack workspace's clock. */
function withSharedClock(options: StackOptions): StackOptions {
  const clock = createAdjustableClock(createSystemClock());
  return {
    ...options,
    clock,
    hosting: { now: clock.now, ...options.hosting },
    slack: { ...options.slack, onClockAdvanced: clock.advance },
  };
}

/** Starts the Slack workspace. Events at the hosting service and the app's messages complete its guide's steps. */
async function startSlack(options: SlackSandboxOptions, hosting: HostingSandbox): Promise<SlackSandbox> {
  const lessons = createGuideSteps(hosting.url);
  const slack = await createSlackSandbox({
    ...options,
    companion: { name: 'Hosting service', url: hosting.url },
    guide: lessons.map(({ isCompletedBy, ...step }) => step),
    readNext: createReadNext(hosting.url),
    onAppMessage: (text) => complete({ kind: 'message', text }),
  });
  function complete(event: GuideEvent) {
    for (const lesson of lessons) if (lesson.isCompletedBy(event)) slack.guide.completeStep(lesson.id);
  }
  hosting.subscribe(complete);
  return slack;
}

/** Starts the app between a running hosting service and a running Slack workspace. */
export async function startApp(
  {
    hosting: { windowMs },
    slack: { delivery = 'socket' },
    databaseUrl,
    appPort = 0,
    encryptionKey,
    grants = defaultGrants,
    allowedWorkspaces,
    profile,
    migratesTokens = false,
    clock,
    machineNow,
    sharedReadMs,
    stopGraceSeconds,
    otlpEndpoint,
    workingNoticeMs,
    ignoreClicksMs,
    charts,
    log,
  }: StackOptions,
  { hostingUrl, slackUrl }: { readonly hostingUrl: string; readonly slackUrl: string },
): Promise<RunningApp> {
  const { appToken, signingSecret, clientId, clientSecret } = sandboxCredentials;
  const apiUrl = `${slackUrl}/api/`;
  let url: string | undefined;
  const app = await createApp(
    {
      slack: {
        apiUrl,
        delivery: delivery === 'socket' ? { mode: 'socket', appToken } : { mode: 'http', signingSecret },
        oauth: {
          clientId,
          clientSecret,
          stateSecret: randomBytes(32).toString('base64url'),
          migratesTokens,
        },
        workingNoticeMs,
        ignoreClicksMs,
      },
      server: delivery === 'socket' ? { host: '127.0.0.1', port: appPort } : listenAddress(delivery),
      hosting: {
        baseUrl: hostingUrl,
        keyHeader: 'authorization',
        pathOverrides: {},
        vpsActions: ['reboot', 'start', 'stop'],
        profile,
      },
      ...(allowedWorkspaces && { allowedWorkspaces }),
      ...(sharedReadMs !== undefined && { sharedReadMs }),
      ...(stopGraceSeconds !== undefined && { stopGraceSeconds }),
      otlpEndpoint,
      encryptionKeys: [encryptionKey ?? randomBytes(32)],
      databaseUrl,
    },
    {
      log,
      publicUrl: () => url,
      ...(windowMs !== undefined && { quotaWindowMs: windowMs }),
      ...(clock && { clock }),
      ...(machineNow && { machineNow }),
      ...(charts && { charts }),
    },
  );
  for (const { botToken, isConnected } of sandboxCredentials.workspaces) {
    const installation = await identifyInstallation(botToken, { apiUrl, log });
    await app.install(installation, isConnected ? sandboxCredentials.apiKey : undefined);
    if (isConnected) {
      for (const grant of grants) await app.grant(installation.teamId, grant);
    }
  }
  url = `http://127.0.0.1:${await app.start()}`;
  return { ...app, url };
}

/** Returns the address where Slack's deliveries to `http:URL` arrive. */
function listenAddress(delivery: `http:${string}`): { host: string; port: number } {
  const url = new URL(delivery.slice('http:'.length));
  return { host: url.hostname, port: Number(url.port || 80) };
}
