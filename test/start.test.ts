import pino from 'pino';
import { expect, test } from 'vitest';
import { createApp } from '../src/app.ts';
import { createSlackSandbox } from '../src/sandbox/slack/sandbox.ts';
import { identifyInstallation } from '../src/slack/identify.ts';
import { freePort } from './services/free-port.ts';
import { manifestPath } from './stack.ts';

const log = pino({ level: 'silent' });

test('an app token that Slack does not accept is said in the words of the settings', async () => {
  const slack = await createSlackSandbox({ port: 0, manifest: manifestPath });
  const app = await createApp(
    {
      slack: { apiUrl: `${slack.url}/api/`, delivery: { mode: 'socket', appToken: 'xapp-wrong' } },
      hosting: { baseUrl: 'http://127.0.0.1:1', keyHeader: 'authorization', openPaths: {}, vpsActions: ['reboot'] },
      encryptionKeys: [new Uint8Array(32)],
      databaseUrl: 'sqlite::memory:',
    },
    { log },
  );
  await expect(app.start()).rejects.toMatchObject({
    code: 'setting_invalid',
    message: 'Slack does not open a connection for SLACK_APP_TOKEN (invalid_auth).',
  });
  await slack.close();
});

test('a port that is taken is said in the words of the settings', async () => {
  const port = await freePort();
  const create = () =>
    createApp(
      {
        slack: {
          apiUrl: 'http://127.0.0.1:1/',
          delivery: { mode: 'http', signingSecret: 's', port, host: '127.0.0.1' },
        },
        hosting: { baseUrl: 'http://127.0.0.1:1', keyHeader: 'authorization', openPaths: {}, vpsActions: ['reboot'] },
        encryptionKeys: [new Uint8Array(32)],
        databaseUrl: 'sqlite::memory:',
      },
      { log },
    );
  const first = await create();
  await first.start();
  await expect((await create()).start()).rejects.toMatchObject({
    code: 'setting_invalid',
    message: `Slack's requests cannot be listened to on PORT ${port} (EADDRINUSE).`,
  });
  await first.stop();
});

test('a bot token that Slack does not accept is said in the words of the settings', async () => {
  const slack = await createSlackSandbox({ port: 0, manifest: manifestPath });
  await expect(
    identifyInstallation('xoxb-wrong', { apiUrl: `${slack.url}/api/`, log }),
  ).rejects.toMatchObject({
    code: 'setting_invalid',
    message: 'Slack does not accept SLACK_BOT_TOKEN (invalid_auth).',
  });
  await slack.close();
});
