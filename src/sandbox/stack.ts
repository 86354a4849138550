import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { createApp, type RackhandApp } from '../app.ts';
import { identifyInstallation } from '../slack/identify.ts';
import { createHostingSandbox, type HostingSandbox, type HostingSandboxOptions } from './hosting/sandbox.ts';
import { createSlackSandbox, type SlackSandbox, type SlackSandboxOptions } from './slack/sandbox.ts';

/** Tokens, secret and keys of the sandbox, which are no secrets. */
export const sandboxCredentials = {
  appToken: 'xapp-sandbox',
  signingSecret: 'sandbox-signing-secret',
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
  readonly log: Logger;
}

/** Everything on this machine: a hosting service, a Slack workspace, and Rackhand between them. */
export interface Stack {
  readonly hosting: HostingSandbox;
  readonly slack: SlackSandbox;
  readonly app: RackhandApp;
  close(): Promise<void>;
}

/** Starts everything: both sandboxes, and the app, installed in both workspaces, of which the first is connected. */
export async function createStack(options: StackOptions): Promise<Stack> {
  const { databaseUrl, redisUrl, log } = options;
  const hosting = await createHostingSandbox(options.hosting);
  const slack = await createSlackSandbox(options.slack);
  const apiUrl = `${slack.url}/api/`;
  const { delivery = 'socket' } = options.slack;
  const app = await createApp(
    {
      slack: {
        apiUrl,
        delivery:
          delivery === 'socket'
            ? { mode: 'socket', appToken: sandboxCredentials.appToken }
            : { mode: 'http', signingSecret: sandboxCredentials.signingSecret, ...listenAddress(delivery) },
      },
      hosting: { baseUrl: hosting.url, keyHeader: 'authorization', openPaths: {} },
      encryptionKeys: [randomBytes(32)],
      databaseUrl,
      ...(redisUrl && { redisUrl }),
      logLevel: 'info',
    },
    { log, ...(options.hosting.windowMs !== undefined && { quotaWindowMs: options.hosting.windowMs }) },
  );
  for (const { botToken, isConnected } of sandboxCredentials.workspaces) {
    const installation = await identifyInstallation(botToken, apiUrl);
    await app.install(installation, isConnected ? sandboxCredentials.apiKey : undefined);
  }
  await app.start();

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

/** Where the app listens, so that what Slack delivers to `http:URL` arrives there. */
function listenAddress(delivery: `http:${string}`): { host: string; port: number } {
  const url = new URL(delivery.slice('http:'.length));
  return { host: url.hostname, port: Number(url.port || 80) };
}
