import { inspect } from 'node:util';
import { createApp } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { RackhandError } from './error.ts';
import { createLog } from './log.ts';
import { identifyInstallation } from './slack/identify.ts';

/** Starts Rackhand with the settings of an environment; what keeps it from starting is said in one message, with exit code 1. */
export async function start(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  try {
    await run(readConfig(env));
  } catch (error) {
    process.stderr.write(`${error instanceof RackhandError ? error.message : inspect(error)}\n`);
    process.exit(1);
  }
}

async function run(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  const app = await createApp(config, { log });
  const { workspace, slack } = config;
  if (workspace) {
    await app.install(
      await identifyInstallation(workspace.botToken, { apiUrl: slack.apiUrl, log }),
      workspace.apiKey,
    );
  }
  await app.start();
  log.info({ delivery: slack.delivery.mode }, 'Rackhand is ready');

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      log.info({ signal }, 'Rackhand stops when what is under way has ended');
      await app.stop();
      process.exit(0);
    });
  }
}
