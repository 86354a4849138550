import pino from 'pino';
import { createSlackSandbox } from 'slack-sandbox';
import { createHostingSandbox, type HostingSandboxOptions } from '../src/sandbox/hosting/sandbox.ts';
import { type StackOptions, startApp } from '../src/sandbox/stack.ts';
import { createHostingDriver, createSlackDriver, manifestPath } from './stack.ts';

/** Starts Slack and the hosting service. They outlive the apps that tests start between them. */
export async function startSandboxes(options: Partial<HostingSandboxOptions> = {}) {
  const hosting = { port: 0, ...options };
  const service = await createHostingSandbox(hosting);
  const slackOptions = { port: 0, manifest: manifestPath };
  const workspace = await createSlackSandbox(slackOptions);
  return {
    slack: createSlackDriver(workspace.url),
    service: createHostingDriver(service.url),
    /** Starts the app, by default with a database in memory. */
    startApp: (more: Partial<StackOptions> = {}, hostingUrl = service.url) =>
      startApp(
        {
          hosting,
          slack: slackOptions,
          databaseUrl: 'sqlite::memory:',
          log: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
          ...more,
        },
        { hostingUrl, slackUrl: workspace.url },
      ),
    closeSlack: workspace.close,
    async close(): Promise<void> {
      await workspace.close();
      await service.close();
    },
  };
}

export type Sandboxes = Awaited<ReturnType<typeof startSandboxes>>;
