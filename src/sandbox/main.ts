import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { SlackSandboxOptions } from './slack/sandbox.ts';

const { env } = process;

/** The default of `PORT`. */
const usualAppPort = 3000;

const ownManifest = fileURLToPath(new URL('../../manifest.yml', import.meta.url));

function portOf(setting: string, fallback: number): number {
  const port = Number(env[setting] || fallback);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`${setting} must be a port, 0 to 65535`);
  return port;
}

function deliveryOf(setting: string | undefined): NonNullable<SlackSandboxOptions['delivery']> {
  if (!setting || setting === 'socket') return 'socket';
  if (!setting.startsWith('http:')) throw new Error('SANDBOX_SLACK_DELIVERY must be socket or http:URL');
  return `http:${setting.slice('http:'.length)}`;
}

interface Closable {
  close(): Promise<void>;
}

const hostingOptions = () => ({ port: portOf('SANDBOX_HOSTING_PORT', 4010) });

const slackOptions = (manifest: string) => ({
  port: portOf('SANDBOX_SLACK_PORT', 4020),
  manifest,
  delivery: deliveryOf(env.SANDBOX_SLACK_DELIVERY),
});

/** Where the app's server listens: at `PORT`, or at the app's usual port, unless another process is there. */
async function appPort(): Promise<number> {
  if (env.PORT) return portOf('PORT', usualAppPort);
  return (await isFree(usualAppPort)) ? usualAppPort : 0;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Makes the scripts of pages now, one after the other, so that whoever opens one does not wait for it. */
async function warm(...urls: readonly string[]): Promise<void> {
  for (const url of urls) await fetch(`${url}/page/client.js`).catch(() => undefined);
}

async function startHosting(): Promise<Closable> {
  const { createHostingSandbox } = await import('./hosting/sandbox.ts');
  const hosting = await createHostingSandbox(hostingOptions());
  void warm(hosting.url);
  console.log(`Hosting service  ${hosting.url}  keys sandbox-key-full, sandbox-key-read`);
  return hosting;
}

async function startSlack(manifest: string): Promise<Closable> {
  const { createSlackSandbox } = await import('./slack/sandbox.ts');
  const slack = await createSlackSandbox(slackOptions(manifest));
  void warm(slack.url);
  console.log(`Slack workspace  ${slack.url}  SLACK_API_URL=${slack.url}/api/`);
  console.log('OAuth            SLACK_CLIENT_ID=sandbox-client-id SLACK_CLIENT_SECRET=sandbox-client-secret');
  return slack;
}

async function startEverything(): Promise<Closable> {
  const [{ readLogLevel }, { createLog }, { emptyDatabase }, { createStack }] = await Promise.all([
    import('../config.ts'),
    import('../log.ts'),
    import('./empty-database.ts'),
    import('./stack.ts'),
  ]);
  const databaseUrl = env.DATABASE_URL || 'sqlite:data/sandbox.db';
  await emptyDatabase(databaseUrl);
  const log = createLog(readLogLevel(env.LOG_LEVEL ?? 'warn'));
  const redisUrl = env.REDIS_URL ? { redisUrl: env.REDIS_URL } : {};
  const [hosting, slack] = [hostingOptions(), slackOptions(ownManifest)];
  const stack = await createStack({
    hosting,
    slack,
    databaseUrl,
    log,
    appPort: await appPort(),
    ...redisUrl,
  });
  void warm(stack.slack.url, stack.hosting.url);
  console.log(`Slack workspace  ${stack.slack.url}  open it: a guide leads through the first minute`);
  console.log(`Hosting service  ${stack.hosting.url}  see what Rackhand calls, as it happens`);
  console.log(
    `Rackhand         ${stack.app.url}/slack/install  install it by OAuth; /healthz, /readyz, /metrics`,
  );
  return stack;
}

/** Starts the part that is asked for: everything unless it is named. */
function start(): Promise<Closable> {
  const { values, positionals } = parseArgs({
    options: { manifest: { type: 'string' } },
    allowPositionals: true,
  });
  const [part = 'everything', ...rest] = positionals;
  if (rest.length > 0) throw new Error(`One part can be started, not ${positionals.join(', ')}`);
  if (values.manifest !== undefined && part !== 'slack') {
    throw new Error('--manifest is for the Slack workspace alone: npm run sandbox:slack -- --manifest PATH');
  }
  if (part === 'everything') return startEverything();
  if (part === 'hosting') return startHosting();
  if (part === 'slack') return startSlack(values.manifest ?? ownManifest);
  throw new Error(`There is no part "${part}"; there are hosting, slack, everything`);
}

try {
  const running = await start();
  console.log('Stop it with Ctrl+C.');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await running.close();
      process.exit(0);
    });
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
