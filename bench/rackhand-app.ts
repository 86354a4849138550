import { randomBytes } from 'node:crypto';
import { enableCompileCache } from 'node:module';

// Rackhand as `npm start` runs it, with the hosting service and Slack that the bench started.
enableCompileCache();
const { createApp } = await import('../src/app.ts');
const { createLogger } = await import('../src/logger.ts');
const [port = '0', hostingUrl = '', slackUrl = '', databaseUrl = ''] = process.argv.slice(2);
const app = await createApp(
  {
    slack: {
      apiUrl: `${slackUrl}/api/`,
      delivery: { mode: 'http', signingSecret: 'sandbox-signing-secret' },
    },
    server: { port: Number(port), host: '127.0.0.1' },
    hosting: { baseUrl: hostingUrl, keyHeader: 'authorization', pathOverrides: {}, vpsActions: ['reboot'] },
    encryptionKeys: [randomBytes(32)],
    databaseUrl,
  },
  { log: createLogger('warn') },
);
const installation = {
  teamId: 'T0ACME',
  teamName: 'Acme',
  enterpriseId: null,
  botToken: 'xoxb-sandbox-acme',
  botId: 'B0ACME',
  botUserId: 'U0APPACME',
};
await app.install(installation, 'sandbox-key-full');
await app.install({
  ...installation,
  teamId: 'T0GLOBEX',
  teamName: 'Globex',
  botToken: 'xoxb-sandbox-globex',
});
await app.start();
console.log('ready');
