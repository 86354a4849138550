import { fileURLToPath } from 'node:url';
import { readLogLevel } from '../config.ts';
import { createLog } from '../log.ts';
import { emptyDatabase } from './empty-database.ts';
import { createHostingSandbox } from './hosting/sandbox.ts';
import { createSlackSandbox, type SlackSandboxOptions } from './slack/sandbox.ts';
import { createStack } from './stack.ts';

const { env } = process;
const manifest = fileURLToPath(new URL('../../manifest.yml', import.meta.url));

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

const hostingOptions = { port: portOf('SANDBOX_HOSTING_PORT', 4010) };
const slackOptions = {
  port: portOf('SANDBOX_SLACK_PORT', 4020),
  manifest,
  delivery: deliveryOf(env.SANDBOX_SLACK_DELIVERY),
};

interface Closable {
  close(): Promise<void>;
}

const parts: Record<string, () => Promise<Closable>> = {
  async hosting() {
    const hosting = await createHostingSandbox(hostingOptions);
    console.log(`Hosting service  ${hosting.url}  keys sandbox-key-full, sandbox-key-read`);
    return hosting;
  },
  async slack() {
    const slack = await createSlackSandbox(slackOptions);
    console.log(`Slack workspace  ${slack.url}  SLACK_API_URL=${slack.url}/api/`);
    return slack;
  },
  async everything() {
    const databaseUrl = env.DATABASE_URL || 'sqlite:data/sandbox.db';
    await emptyDatabase(databaseUrl);
    const log = createLog(readLogLevel(env.LOG_LEVEL ?? 'warn'));
    const redisUrl = env.REDIS_URL ? { redisUrl: env.REDIS_URL } : {};
    const stack = await createStack({
      hosting: hostingOptions,
      slack: slackOptions,
      databaseUrl,
      log,
      ...redisUrl,
    });
    console.log(`Slack workspace  ${stack.slack.url}  open it, and type /vps list or /vps reboot VPS-10001`);
    console.log(
      `Hosting service  ${stack.hosting.url}  what Rackhand calls: ${stack.hosting.url}/sandbox/calls`,
    );
    return stack;
  },
};

const start = parts[process.argv[2] ?? 'everything'];
if (!start)
  throw new Error(`There is no part "${process.argv[2]}"; there are ${Object.keys(parts).join(', ')}`);
const running = await start();
console.log('Stop it with Ctrl+C.');
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await running.close();
    process.exit(0);
  });
}
