import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { type AppOptions, createApp, type Granted, type RackhandApp } from '../app.ts';
import { identifyInstallation } from '../slack/identify.ts';
import { createLessons, createReadNext } from './guide.ts';
import { createHostingSandbox, type HostingSandbox, type HostingSandboxOptions } from './hosting/sandbox.ts';
import { createSlackSandbox, type SlackSandbox, type SlackSandboxOptions } from './slack/sandbox.ts';

/** Tokens, secret and keys of the sandbox, which are no secrets. */
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
  readonly redisUrl?: string;
  /** Where the app's server listens, unless Slack delivers over HTTP and so names the port; a free one where it is left out. */
  readonly appPort?: number;
  /** 32 bytes; random, and so forgotten at the end, unless given. */
  readonly encryptionKey?: Uint8Array;
  /** Rights in the first workspace; who is no owner may look unless given. */
  readonly grants?: readonly Granted[];
  /** By which reports come; the machine's unless given. */
  readonly clock?: AppOptions['clock'];
  readonly log: Logger;
}

/** What the people of the first workspace may do who do not own it. */
const usualGrants: readonly Granted[] = [
  { grantee: 'U0BOB', right: 'look', pattern: '*' },
  { grantee: 'U0CAROL', right: 'look', pattern: '*' },
];

/** The app, started. */
export interface RunningApp extends RackhandApp {
  /** Where its server is reached: health, metrics, and the page that installs it. */
  readonly url: string;
}

/** Everything on this machine: a hosting service, a Slack workspace, and Rackhand between them. */
export interface Stack {
  readonly hosting: HostingSandbox;
  readonly slack: SlackSandbox;
  readonly app: RunningApp;
  close(): Promise<void>;
}

/** Starts everything: both sandboxes, and the app, installed in both workspaces, of which the first is connected. */
export async function createStack(options: StackOptions): Promise<Stack> {
  const hosting = await createHostingSandbox(options.hosting);
  const slack = await startSlack(options.slack, hosting).catch(async (error: unknown) => {
    await hosting.close();
    throw error;
  });
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

/** Starts the Slack workspace with a guide whose steps are ticked by what happens at the hosting service. */
async function startSlack(options: SlackSandboxOptions, hosting: HostingSandbox): Promise<SlackSandbox> {
  const lessons = createLessons(hosting.url);
  const slack = await createSlackSandbox({
    ...options,
    companion: { name: 'Hosting service', url: hosting.url },
    guide: lessons.map(({ isDone, ...step }) => step),
    readNext: createReadNext(hosting.url),
  });
  hosting.watch((happening) => {
    for (const lesson of lessons) if (lesson.isDone(happening)) slack.guide.tick(lesson.id);
  });
  return slack;
}

/** Starts the app between a hosting service and a Slack workspace that are there already. */
export async function startApp(
  {
    hosting: { windowMs },
    slack: { delivery = 'socket' },
    databaseUrl,
    redisUrl,
    appPort = 0,
    encryptionKey,
    grants = usualGrants,
    clock,
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
        oauth: { clientId, clientSecret, stateSecret: randomBytes(32).toString('base64url') },
      },
      server: delivery === 'socket' ? { host: '127.0.0.1', port: appPort } : listenAddress(delivery),
      hosting: {
        baseUrl: hostingUrl,
        keyHeader: 'authorization',
        openPaths: {},
        vpsActions: ['reboot', 'start', 'stop'],
      },
      encryptionKeys: [encryptionKey ?? randomBytes(32)],
      databaseUrl,
      ...(redisUrl && { redisUrl }),
    },
    {
      log,
      publicUrl: () => url,
      ...(windowMs !== undefined && { quotaWindowMs: windowMs }),
      ...(clock && { clock }),
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

/** Where the app listens, so that what Slack delivers to `http:URL` arrives there. */
function listenAddress(delivery: `http:${string}`): { host: string; port: number } {
  const url = new URL(delivery.slice('http:'.length));
  return { host: url.hostname, port: Number(url.port || 80) };
}
