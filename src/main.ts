import { inspect } from 'node:util';
import type { Logger } from 'pino';
import { createApp, type RackhandApp } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { RackhandError } from './errors.ts';
import { createLogger } from './logger.ts';
import { identifyInstallation } from './slack/client/identify-installation.ts';

try {
  await start(readConfig(process.env));
} catch (error) {
  process.stderr.write(`${error instanceof RackhandError ? error.message : inspect(error)}\n`);
  process.exit(1);
}

async function start(config: Config): Promise<void> {
  const log = createLogger(config.logLevel);
  for (const warning of config.warnings) log.warn(warning);
  const app = await createApp(config, { log });
  // One workspace's failed task must not end the process that serves the others.
  process.on('unhandledRejection', app.reportUnhandledError);
  const { workspace, slack } = config;
  if (workspace) {
    const { botToken, apiKey } = workspace;
    const installation = await identifyInstallation(botToken, { apiUrl: slack.apiUrl, log });
    const isNew = await app.install(installation, apiKey);
    if (isNew && !apiKey) await app.planWelcome(installation);
  }
  await app.start();
  stopOnSignal(app, log);
  log.info({ delivery: slack.delivery.mode }, 'Rackhand is ready');
}

/** Stops the app at the first SIGINT or SIGTERM, and ends the process. */
function stopOnSignal(app: Pick<RackhandApp, 'stop'>, log: Pick<Logger, 'info'>): void {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A terminal and npm can both send the signal. A stop has a time limit, so a second signal doesn't cut it
    // short.
    process.on(signal, async () => {
      if (isStopping) return;
      isStopping = true;
      log.info({ signal }, 'Rackhand is stopping: finishing the current work');
      await app.stop();
      process.exit(0);
    });
  }
}
