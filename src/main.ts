import { createApp, identifyInstallation } from './app.ts';
import { readConfig } from './config.ts';
import { RackhandError } from './error.ts';
import { createLog } from './log.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const app = await createApp(config, { log });
  const { workspace, slack } = config;
  if (workspace)
    await app.install(await identifyInstallation(workspace.botToken, slack.apiUrl), workspace.apiKey);
  await app.start();
  log.info({ delivery: config.slack.delivery.mode }, 'Rackhand is ready');

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      log.info({ signal }, 'Rackhand stops when what is under way has ended');
      await app.stop();
      process.exit(0);
    });
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof RackhandError ? error.message : error);
  process.exit(1);
}
