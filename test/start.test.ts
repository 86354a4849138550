import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import pino from 'pino';
import { createSlackSandbox } from 'slack-sandbox';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createApp } from '../src/app.ts';
import { identifyInstallation } from '../src/slack/client/identify-installation.ts';
import { childEnvironment } from './child-environment.ts';
import { eventually } from './eventually.ts';
import { makeScratchDirectory } from './scratch-directory.ts';
import { findFreePort } from './services/find-free-port.ts';
import { createSlackDriver, manifestPath } from './stack.ts';

const log = pino({ level: 'silent' });

/** Creates the app with the given settings. All other settings are valid, but point to no server. */
function createTestApp(settings: Partial<Parameters<typeof createApp>[0]>) {
  return createApp(
    {
      slack: { apiUrl: 'http://127.0.0.1:1/', delivery: { mode: 'socket', appToken: 'xapp-none' } },
      server: { port: 0, host: '127.0.0.1' },
      hosting: {
        baseUrl: 'http://127.0.0.1:1',
        keyHeader: 'authorization',
        pathOverrides: {},
        vpsActions: ['reboot'],
      },
      encryptionKeys: [new Uint8Array(32)],
      databaseUrl: 'sqlite::memory:',
      ...settings,
    },
    { log },
  );
}

test('an app token that Slack rejects is reported by the name of its setting', async () => {
  const slack = await createSlackSandbox({ port: 0, manifest: manifestPath });
  const app = await createTestApp({
    slack: { apiUrl: `${slack.url}/api/`, delivery: { mode: 'socket', appToken: 'xapp-wrong' } },
  });
  await expect(app.start()).rejects.toMatchObject({
    code: 'setting_invalid',
    message: 'Slack refused a connection with SLACK_APP_TOKEN (invalid_auth).',
  });
  await slack.close();
});

test('a port in use is reported by the name of its setting', async () => {
  const port = await findFreePort();
  const atPort = () =>
    createTestApp({
      slack: { apiUrl: 'http://127.0.0.1:1/', delivery: { mode: 'http', signingSecret: 's' } },
      server: { port, host: '127.0.0.1' },
    });
  const first = await atPort();
  await first.start();
  await expect((await atPort()).start()).rejects.toMatchObject({
    code: 'setting_invalid',
    message: `Can't listen on PORT ${port} (EADDRINUSE).`,
  });
  await first.stop();
});

test.each([
  ['METRICS_PORT', '127.0.0.1', true, /^Can't listen on METRICS_PORT \d+ \(EADDRINUSE\)\.$/],
  ['HOST', '192.0.2.1', false, "Can't listen on HOST 192.0.2.1 (EADDRNOTAVAIL)."],
])(
  'an address that is not free is reported by the name of its setting: %s',
  async (_, host, isPortTaken, message) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = z.object({ port: z.number() }).parse(taken.address());
    const app = await createTestApp({
      slack: { apiUrl: 'http://127.0.0.1:1/', delivery: { mode: 'http', signingSecret: 's' } },
      server: { port: 0, host, ...(isPortTaken && { metricsPort: port }) },
    });
    await expect(app.start()).rejects.toThrow(message);
    taken.close();
  },
);

test('a lost or different encryption key is reported with what it encrypts, and nothing is overwritten', async () => {
  const directory = makeScratchDirectory('start');
  const [first, second] = [randomBytes(32), randomBytes(32)];
  const withKeys = (...encryptionKeys: [Uint8Array, ...Uint8Array[]]) =>
    createTestApp({ encryptionKeys, databaseUrl: `sqlite:${join(directory, 'rackhand.db')}` });
  const app = await withKeys(first);
  const installation = { teamId: 'T1', teamName: 'Acme', enterpriseId: null, botId: 'B1', botUserId: 'U1' };
  await app.install({ ...installation, botToken: 'xoxb-1' }, 'api-key');
  await app.stop();
  for (const attempt of [1, 2]) {
    await expect(withKeys(second), `attempt ${attempt}`).rejects.toMatchObject({
      code: 'secret_unreadable',
      message: expect.stringMatching(
        /^ENCRYPTION_KEYS lacks the key for stored secrets: 1 Slack token \(T1\), 1 API key \(T1\), 2 instance secrets .*Nothing was changed\./,
      ),
    });
  }
  await (await withKeys(second, first)).stop();
  await (await withKeys(first)).stop();
});

test('the first start without an API key asks an admin for one, and later starts do not', async () => {
  const directory = makeScratchDirectory('start');
  const slack = await createSlackSandbox({ port: 0, manifest: manifestPath });
  const { messages, message } = createSlackDriver(slack.url);
  const apiUrl = `${slack.url}/api/`;
  const start = async (...botTokens: readonly string[]) => {
    const app = await createTestApp({
      slack: { apiUrl, delivery: { mode: 'socket', appToken: 'xapp-sandbox' } },
      databaseUrl: `sqlite:${join(directory, 'rackhand.db')}`,
      encryptionKeys: [encryptionKey],
    });
    for (const botToken of botTokens) {
      const installation = await identifyInstallation(botToken, { apiUrl, log });
      if (await app.install(installation)) await app.planWelcome(installation);
    }
    await app.start();
    return app;
  };
  const encryptionKey = randomBytes(32);
  const first = await start('xoxb-sandbox-acme');
  const request = await message('Connect an API key', 'U0ALICE');
  expect(JSON.stringify(request.blocks)).toContain('Connect…');
  await first.stop();
  // The message to the other workspace shows that the jobs of this start were run.
  const second = await start('xoxb-sandbox-acme', 'xoxb-sandbox-globex');
  await message('Connect an API key', 'U0GWEN', 'U0GWEN', 'T0GLOBEX');
  await second.stop();
  expect(await messages('U0ALICE')).toHaveLength(1);
  await slack.close();
});

test('a setting that is taken away dead-letters no background job', async () => {
  const directory = makeScratchDirectory('start');
  const settings = {
    slack: { apiUrl: 'http://127.0.0.1:1/', delivery: { mode: 'http', signingSecret: 's' } },
    databaseUrl: `sqlite:${join(directory, 'rackhand.db')}`,
  } as const;
  const withStream = await createTestApp({
    ...settings,
    auditStreamFile: join(directory, 'audit.jsonl'),
    backups: { dir: join(directory, 'backups'), keep: 1 },
  });
  await withStream.start();
  await withStream.stop();
  const without = await createTestApp(settings);
  const port = await without.start();
  const state = await (await fetch(`http://127.0.0.1:${port}/readyz`)).json();
  await without.stop();
  expect(state).toMatchObject({ jobsDeadLettered: [] });
});

/** Starts Rackhand as a process. It listens on 127.0.0.1, and reaches no other server. */
async function startProcess(...options: readonly string[]) {
  const port = await findFreePort();
  const child = spawn(process.execPath, [...options, 'src/main.ts'], {
    env: {
      ...childEnvironment,
      SLACK_CLIENT_ID: '1.2',
      SLACK_CLIENT_SECRET: 's',
      SLACK_STATE_SECRET: 'sixteen-characters',
      SLACK_SIGNING_SECRET: 'sixteen-characters',
      HOSTING_API_URL: 'http://127.0.0.1:1',
      ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
      DATABASE_URL: 'sqlite::memory:',
      HOST: '127.0.0.1',
      PORT: String(port),
    },
  });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  await eventually(() => expect(output).toContain('Rackhand is ready'));
  return { child, port, readOutput: () => output };
}

test('an unhandled error is logged and counted, and does not end the process', async () => {
  const failOnSignal = 'process.on("SIGUSR2", () => void Promise.reject(new Error("nobody waits")))';
  const { child, port, readOutput } = await startProcess(
    '--import',
    `data:text/javascript,${encodeURIComponent(failOnSignal)}`,
  );
  child.kill('SIGUSR2');
  await eventually(() => expect(readOutput()).toContain('nobody waits'));
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toContain('rackhand_unhandled_errors_total 1');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a second signal does not cut a stop short', async () => {
  const { child, port, readOutput } = await startProcess();
  // The stop waits for the rest of this request.
  const request = connect(port, '127.0.0.1').on('error', () => undefined);
  request.write('GET /healthz HTTP/1.1\r\n');
  await once(request, 'connect');
  child.kill('SIGTERM');
  await eventually(() => expect(readOutput()).toContain('Rackhand is stopping'));
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  child.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
  expect(readOutput().match(/is stopping/g)).toHaveLength(1);
});
