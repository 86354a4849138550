import { randomBytes } from 'node:crypto';
import { enableCompileCache } from 'node:module';

// Rackhand over Socket Mode. The bench bundles it as a release is bundled.
enableCompileCache();
const { createApp } = await import('../../src/app.ts');
const { createLogger } = await import('../../src/logger.ts');
const [slackApiUrl = '', databaseUrl = '', hostingUrl = ''] = process.argv.slice(2);
const app = await createApp(
  {
    slack: { apiUrl: slackApiUrl, delivery: { mode: 'socket', appToken: 'xapp-bench' } },
    server: { port: 0, host: '127.0.0.1' },
    hosting: { baseUrl: hostingUrl, keyHeader: 'authorization', pathOverrides: {}, vpsActions: ['reboot'] },
    encryptionKeys: [randomBytes(32)],
    databaseUrl,
  },
  { log: createLogger('warn') },
);
await app.install(
  {
    teamId: 'T0ACME',
    teamName: 'Acme',
    enterpriseId: null,
    botToken: 'xoxb-bench',
    botId: 'B0ACME',
    botUserId: 'U0APPACME',
  },
  'sandbox-key-full',
);
await app.start();
process.send?.('ready');
