import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { SlackSandboxOptions } from 'slack-sandbox';

const { env } = process;

/** The app's port if `PORT` isn't set. */
const defaultAppPort = 3000;

/** Maximum number of VPS, and of entries per page. */
const maxCount = 100_000;

const defaultManifestPath = fileURLToPath(new URL('../../manifest.yml', import.meta.url));

function readPort(setting: string, fallback: number): number {
  const port = Number(env[setting] || fallback);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`${setting} must be a port, 0 to 65535`);
  return port;
}

function parseDelivery(setting: string | undefined): NonNullable<SlackSandboxOptions['delivery']> {
  if (!setting || setting === 'socket') return 'socket';
  if (!setting.startsWith('http:')) throw new Error('SANDBOX_SLACK_DELIVERY must be socket or http:URL');
  return `http:${setting.slice('http:'.length)}`;
}

interface Closable {
  close(): Promise<void>;
}

/** Names that containers or a proxy use to reach the sandbox. */
const allowedHosts = (env.SANDBOX_ALLOWED_HOSTS ?? '').split(',').map((name) => name.trim());

function readCount(setting: string, fallback: number): number {
  const count = Number(env[setting] || fallback);
  if (!Number.isInteger(count) || count < 0 || count > maxCount)
    throw new Error(`${setting} must be a whole number, 0 to ${maxCount}`);
  return count;
}

const readHostingOptions = () => ({
  port: readPort('SANDBOX_HOSTING_PORT', 4010),
  vpsCount: readCount('SANDBOX_HOSTING_VPS', 12),
  pageSize: readCount('SANDBOX_HOSTING_PAGE_SIZE', 0),
  allowedHosts,
});

const readSlackOptions = (manifest: string) => ({
  port: readPort('SANDBOX_SLACK_PORT', 4020),
  manifest,
  allowedHosts,
  delivery: parseDelivery(env.SANDBOX_SLACK_DELIVERY),
});

/** Returns `PORT` if set. Otherwise returns the default port, or a free one if the default is in use. */
async function chooseAppPort(): Promise<number> {
  if (env.PORT) return readPort('PORT', defaultAppPort);
  return (await isPortFree(defaultAppPort)) ? defaultAppPort : 0;
}

function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Builds the pages' scripts one after another, so the pages open fast later. */
async function prebuildPages(...urls: readonly string[]): Promise<void> {
  for (const url of urls) await fetch(`${url}/page/client.js`).catch(() => undefined);
}

async function startHosting(): Promise<Closable> {
  const { createHostingSandbox } = await import('./hosting/sandbox.ts');
  const hosting = await createHostingSandbox(readHostingOptions());
  void prebuildPages(hosting.url);
  console.log(`Hosting service  ${hosting.url}  keys sandbox-key-full, sandbox-key-read`);
  return hosting;
}

async function startSlack(manifest: string): Promise<Closable> {
  const { createSlackSandbox } = await import('slack-sandbox');
  const slack = await createSlackSandbox(readSlackOptions(manifest));
  void prebuildPages(slack.url);
  console.log(`Slack workspace  ${slack.url}  SLACK_API_URL=${slack.url}/api/`);
  console.log('OAuth            SLACK_CLIENT_ID=sandbox-client-id SLACK_CLIENT_SECRET=sandbox-client-secret');
  for (const note of slack.notes) console.log(`Note: ${note}`);
  return slack;
}

async function startEverything(): Promise<Closable> {
  const [{ parseLogLevel }, { createLogger }, { clearDatabase }, { createStack }] = await Promise.all([
    import('../config.ts'),
    import('../logger.ts'),
    import('./clear-database.ts'),
    import('./stack.ts'),
  ]);
  const databaseUrl = env.DATABASE_URL || 'sqlite:data/sandbox.db';
  await clearDatabase(databaseUrl);
  const log = createLogger(parseLogLevel(env.LOG_LEVEL ?? 'warn'));
  const [hosting, slack] = [readHostingOptions(), readSlackOptions(defaultManifestPath)];
  const stack = await createStack({
    hosting,
    slack,
    databaseUrl,
    log,
    followsSlackClock: true,
    appPort: await chooseAppPort(),
  });
  void prebuildPages(stack.slack.url, stack.hosting.url);
  console.log(`Slack workspace  ${stack.slack.url}  open it: a guide leads you through the first minute`);
  console.log(`Hosting service  ${stack.hosting.url}  see Rackhand’s calls, live`);
  console.log(
    `Rackhand         ${stack.app.url}/slack/install  install it by OAuth; /healthz, /readyz, /metrics`,
  );
  return stack;
}

/** Starts the requested part, or everything if none was named. */
function start(): Promise<Closable> {
  const { values, positionals } = parseArgs({
    options: { manifest: { type: 'string' } },
    allowPositionals: true,
  });
  const [part = 'everything', ...rest] = positionals;
  if (rest.length > 0) throw new Error(`Only one part can be started, not ${positionals.join(', ')}`);
  if (values.manifest !== undefined && part !== 'slack') {
    throw new Error('--manifest is for the Slack workspace alone: npm run sandbox:slack -- --manifest PATH');
  }
  if (part === 'everything') return startEverything();
  if (part === 'hosting') return startHosting();
  if (part === 'slack') return startSlack(values.manifest ?? defaultManifestPath);
  throw new Error(`Unknown part "${part}": use hosting or slack, or nothing for everything`);
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
