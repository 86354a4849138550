import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createApp } from '../src/app.ts';
import { createSlackSandbox } from '../src/sandbox/slack/sandbox.ts';
import { identifyInstallation } from '../src/slack/identify.ts';
import { freePort } from './services/free-port.ts';
import { manifestPath } from './stack.ts';

const log = pino({ level: 'silent' });

/** Creates the app with settings that lead nowhere, but for those that are given. */
function create(settings: Partial<Parameters<typeof createApp>[0]>) {
  return createApp(
    {
      slack: { apiUrl: 'http://127.0.0.1:1/', delivery: { mode: 'socket', appToken: 'xapp-none' } },
      server: { port: 0, host: '127.0.0.1' },
      hosting: {
        baseUrl: 'http://127.0.0.1:1',
        keyHeader: 'authorization',
        openPaths: {},
        vpsActions: ['reboot'],
      },
      encryptionKeys: [new Uint8Array(32)],
      databaseUrl: 'sqlite::memory:',
      ...settings,
    },
    { log },
  );
}

test('an app token that Slack does not accept is said in the words of the settings', async () => {
  const slack = await createSlackSandbox({ port: 0, manifest: manifestPath });
  const app = await create({
    slack: { apiUrl: `${slack.url}/api/`, delivery: { mode: 'socket', appToken: 'xapp-wrong' } },
  });
  await expect(app.start()).rejects.toMatchObject({
    code: 'setting_invalid',
    message: 'Slack does not open a connection for SLACK_APP_TOKEN (invalid_auth).',
  });
  await slack.close();
});

test('a port that is taken is said in the words of the settings', async () => {
  const port = await freePort();
  const atPort = () =>
    create({
      slack: { apiUrl: 'http://127.0.0.1:1/', delivery: { mode: 'http', signingSecret: 's' } },
      server: { port, host: '127.0.0.1' },
    });
  const first = await atPort();
  await first.start();
  await expect((await atPort()).start()).rejects.toMatchObject({
    code: 'setting_invalid',
    message: `Nothing can be listened to on PORT ${port} (EADDRINUSE).`,
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

test('an encryption key that is lost, or another, is said with what it would read, and nothing is overwritten', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-start-'));
  const [first, second] = [randomBytes(32), randomBytes(32)];
  const withKeys = (...encryptionKeys: [Uint8Array, ...Uint8Array[]]) =>
    create({ encryptionKeys, databaseUrl: `sqlite:${join(directory, 'rackhand.db')}` });
  const app = await withKeys(first);
  const installation = { teamId: 'T1', teamName: 'Acme', enterpriseId: null, botId: 'B1', botUserId: 'U1' };
  await app.install({ ...installation, botToken: 'xoxb-1' }, 'api-key');
  await app.stop();
  for (const attempt of [1, 2]) {
    await expect(withKeys(second), `attempt ${attempt}`).rejects.toMatchObject({
      code: 'secret_unreadable',
      message: expect.stringMatching(
        /^With these ENCRYPTION_KEYS .*: 1 Slack token \(T1\), 1 API key \(T1\), 1 secret of Rackhand's own .*Nothing was changed\./,
      ),
    });
  }
  await (await withKeys(second, first)).stop();
  await (await withKeys(first)).stop();
  rmSync(directory, { recursive: true });
});
