import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { createSlackSandbox } from 'slack-sandbox';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkClock } from '../../scripts/doctor/check-clock.ts';
import { checkDatabase } from '../../scripts/doctor/check-database.ts';
import { checkDisk, checkFileModes } from '../../scripts/doctor/check-files.ts';
import { checkFonts } from '../../scripts/doctor/check-fonts.ts';
import type { CheckLine } from '../../scripts/doctor/check-line.ts';
import { checkSigningSecret } from '../../scripts/doctor/check-signing-secret.ts';
import { checkSlack } from '../../scripts/doctor/check-slack.ts';
import { examineService } from '../../scripts/doctor/examine-service.ts';
import { runChecks } from '../../scripts/doctor/run-checks.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/engines/database.ts';
import { childEnvironment } from '../child-environment.ts';
import { startHostingSandbox } from '../sandbox/hosting/hosting-sandbox-fixture.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';
import { manifestPath, startStack } from '../stack.ts';

function configOf(env: Record<string, string> = {}) {
  return readConfig({
    HOSTING_API_URL: 'http://127.0.0.1:1',
    SLACK_BOT_TOKEN: 'xoxb-sandbox-acme',
    SLACK_APP_TOKEN: 'xapp-sandbox',
    ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64'),
    ...env,
  });
}

async function read(lines: AsyncIterable<CheckLine> | Iterable<CheckLine>): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const { check, status, message } of lines) texts.push(`${status} ${check}: ${message}`);
  return texts;
}

test('charts must have letters, and the check says which scripts they have', () => {
  expect(checkFonts('/missing.ttc')).toMatchObject({
    status: 'OK',
    message: expect.stringContaining('install fonts-wqy-microhei'),
  });
  const failing = [
    () => Buffer.from('the same picture for every text'),
    () => {
      throw new Error('no such file');
    },
  ];
  for (const draw of failing) {
    expect(checkFonts(undefined, draw)).toMatchObject({
      status: 'error',
      message: expect.stringContaining('Run npm ci again'),
    });
  }
});

test('the running app must accept what is signed with the secret', async () => {
  const stack = await startStack({ delivery: 'http' });
  onTestFinished(stack.close);
  const check = (secret: string, url = stack.serverUrl) =>
    read(
      checkSigningSecret({
        ...configOf({ PUBLIC_URL: url }),
        slack: { apiUrl: '', delivery: { mode: 'http', signingSecret: secret } },
      }),
    );
  expect(await check('sandbox-signing-secret')).toEqual([expect.stringMatching(/^OK signing secret/)]);
  expect(await check('another')).toEqual([expect.stringMatching(/^error signing secret: .* answered 401/)]);
  expect(await check('another', 'http://127.0.0.1:1')).toEqual([
    expect.stringMatching(/^warning signing secret: Nothing answers/),
  ]);

  // Without Socket Mode, only the clocks of Slack and the service are compared.
  const { url: baseUrl } = stack.service;
  const config = { ...configOf(), hosting: { ...configOf().hosting, baseUrl } };
  const slack = { ...config.slack, apiUrl: `${stack.slack.url}/api/` };
  const clock = (offsetMs: number) => read(checkClock({ ...config, slack }, () => Date.now() + offsetMs));
  expect(await clock(0)).toEqual([expect.stringMatching(/^OK clock/), expect.stringMatching(/^OK clock/)]);
  expect(await clock(-10_000)).toEqual([
    expect.stringMatching(/^warning clock: The clock is \d+ s behind that of Slack/),
    expect.stringMatching(/^warning clock: .*the hosting service/),
  ]);
  expect((await clock(60_000))[0]).toMatch(/^error clock: .* ahead of that of Slack/);
  expect(await read(checkClock(configOf({ SLACK_API_URL: 'http://127.0.0.1:1/' })))).toEqual([
    expect.stringMatching(/^warning clock: Slack didn't say its time/),
    expect.stringMatching(/^warning clock: the hosting service didn't/),
  ]);
  expect(await read(checkSlack({ ...config, slack: { ...slack, apiUrl: 'http://127.0.0.1:1/' } }))).toEqual([
    expect.stringMatching(/^error Slack bot token: Slack doesn't answer/),
    expect.stringMatching(/^error Slack app token: Slack doesn't answer/),
  ]);
});

test('files that others can read, little space, and quotas above the document are named', async () => {
  const directory = await makeScratchDirectory('doctor');
  const databaseUrl = `sqlite:${join(directory, 'rackhand.db')}`;
  const secret = join(directory, 'token');
  writeFileSync(secret, 'xoxb-sandbox-acme', { mode: 0o604 });
  const { db, close } = await openDatabase(databaseUrl);
  chmodSync(join(directory, 'rackhand.db'), 0o600);
  const config = configOf({ DATABASE_URL: databaseUrl });
  expect(await read(checkFileModes(config, { SLACK_BOT_TOKEN_FILE: secret }))).toEqual([
    expect.stringMatching(/^warning file modes: .*token\. Run chmod o-rwx/),
  ]);
  chmodSync(secret, 0o600);
  expect(await read(checkFileModes(config, { SLACK_BOT_TOKEN_FILE: secret }))).toEqual([
    expect.stringMatching(/^OK file modes/),
  ]);

  const limits = (minBytes: number, recommendedBytes: number) => ({ minBytes, recommendedBytes });
  expect((await read(checkDisk(config, limits(0, 0))))[0]).toMatch(/^OK disk: [\d,]+ MiB are free in/);
  expect((await read(checkDisk(config, limits(0, 1e18))))[0]).toMatch(/^warning disk: Only/);
  expect((await read(checkDisk(config, limits(1e18, 1e18))))[0]).toMatch(/^error disk: Only/);

  expect(await read(checkDatabase(databaseUrl))).toContainEqual(
    expect.stringMatching(/^OK quota: 0 connected/),
  );
  await sql`
    insert into api_key (team_id, api_key_jwe, fingerprint, quota, connected_at) values ('T1', '', '', 500, 0)
  `.execute(db);
  await close();
  expect(await read(checkDatabase(databaseUrl))).toContainEqual(
    expect.stringMatching(/^warning quota: 1 of 1 workspaces/),
  );
});

const run = promisify(execFile);
const key = 'sandbox-key-full';

async function runDoctor(url: string, env: Record<string, string> = {}, ...options: string[]) {
  const result = run(process.execPath, ['scripts/doctor.ts', ...options], {
    env: { ...childEnvironment, HOSTING_API_URL: url, HOSTING_API_KEY: key, ...env },
  });
  return result.then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );
}

const newFile = () => join(makeScratchDirectory('doctor'), 'profile.json');

/** Returns what `npm run doctor` prints about the payloads of a service. */
async function examine(url: string, env: Record<string, string>, profile?: string): Promise<string> {
  for (const [name, value] of Object.entries({ HOSTING_API_URL: url, HOSTING_API_KEY: key, ...env }))
    vi.stubEnv(name, value);
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => {
    print.mockRestore();
    vi.unstubAllEnvs();
  });
  await examineService(profile);
  return print.mock.calls.flat().join('\n');
}

test('prints where values are, and writes a matching profile', async () => {
  const { url } = await startHostingSandbox();
  const file = newFile();
  const written = await examine(url, {}, file);
  expect(written).toMatch(/^vps\.names +vps\[\]\.vps_name +VPS-10001/m);
  expect(written).not.toContain(key);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    version: 1,
    values: { 'vps.list_state': { field: 'vps[].state' } },
  });
  expect(await examine(url, { HOSTING_PROFILE: file })).not.toContain('not in the payload');
});

test('checks each part of an installation, and names what is broken', async () => {
  const { url } = await startHostingSandbox();
  const slack = await createSlackSandbox({ port: 0, manifest: manifestPath });
  const file = newFile();
  const databaseUrl = `sqlite:${file}.db`;
  await (await openDatabase(databaseUrl)).close();
  chmodSync(`${file}.db`, 0o600);
  writeFileSync(file, 'this is no database, but a text');
  const profile = newFile();
  writeFileSync(profile, JSON.stringify({ version: 1, values: { 'live.cpu': { field: 'processor' } } }));
  const healthy = {
    SLACK_API_URL: `${slack.url}/api/`,
    SLACK_BOT_TOKEN: 'xoxb-sandbox-acme',
    SLACK_APP_TOKEN: 'xapp-sandbox',
    ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64'),
    DATABASE_URL: databaseUrl,
  };
  const { code, stdout } = await runDoctor(url, healthy, '--json');
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ check, status }) => `${status} ${check}`)).toEqual([
    'OK settings',
    'OK Slack bot token',
    'OK Slack scopes',
    'OK Slack app token',
    'OK Slack socket',
    'OK hosting key',
    'OK service profile',
    'OK database',
    'OK quota',
    'OK clock',
    'OK clock',
    'OK fonts',
    expect.stringMatching(/^(OK|warning) disk$/),
    'OK file modes',
  ]);
  expect(code).toBe(0);
  expect(stdout).not.toMatch(/xoxb-|xapp-|sandbox-key/);

  const broken: readonly (readonly [Record<string, string>, RegExp])[] = [
    [
      { PORT: 'x', LOG_LEVEL: 'loud' },
      /^error +settings +PORT must be a port[\s\S]*^error +settings +LOG_LEVEL/m,
    ],
    [{ SLACK_BOT_TOKEN: 'xoxb-wrong' }, /^error +Slack bot token +.*SLACK_BOT_TOKEN \(invalid_auth\)/m],
    [{ SLACK_APP_TOKEN: 'xapp-wrong' }, /^error +Slack app token +.*SLACK_APP_TOKEN \(invalid_auth\)/m],
    [{ HOSTING_PROFILE: profile }, /^error +service profile +.*live\.cpu/m],
    [{ HOSTING_API_KEY: 'wrong' }, /^error +hosting key +.*HOSTING_API_KEY/m],
    [{ DATABASE_URL: `sqlite:${file}` }, /^error +database +.*DATABASE_URL/m],
  ];
  for (const [settings, line] of broken) {
    const env = { HOSTING_API_URL: url, HOSTING_API_KEY: key, ...healthy, ...settings };
    const printed: string[] = [];
    for await (const { check, status, message } of runChecks(env))
      printed.push(`${status} ${check} ${message}`);
    expect(printed.join('\n')).toMatch(line);
  }
  const failed = await runDoctor(url, { ...healthy, PORT: 'x' });
  expect(failed).toMatchObject({ code: 1, stdout: expect.stringMatching(/^error +settings +PORT/m) });
  await slack.close();
});

test('names missing scopes, and a socket that cannot be opened', async () => {
  const directory = makeScratchDirectory('doctor');
  const manifest = join(directory, 'manifest.yml');
  const text = readFileSync(manifestPath, 'utf8');
  writeFileSync(manifest, text.replaceAll('      - files:write\n', '').replace('      - users:read\n', ''));
  const slack = await createSlackSandbox({ port: 0, manifest });
  const config = readConfig({
    HOSTING_API_URL: 'http://127.0.0.1:1',
    SLACK_API_URL: `${slack.url}/api/`,
    SLACK_BOT_TOKEN: 'xoxb-sandbox-acme',
    SLACK_APP_TOKEN: 'xapp-sandbox',
    ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64'),
  });
  const lines: CheckLine[] = [];
  for await (const line of checkSlack(config)) {
    lines.push(line);
    // Slack has answered with the address of a connection that can't be opened any more.
    if (line.check === 'Slack app token') await slack.close();
  }
  expect(lines.map(({ status, check, message }) => `${status} ${check}: ${message}`)).toEqual([
    'OK Slack bot token: Slack accepts SLACK_BOT_TOKEN.',
    expect.stringMatching(/^warning Slack scopes: The token lacks the optional scope files:write: graphs/),
    'error Slack scopes: The token lacks users:read. Reinstall the app with manifest.yml.',
    'OK Slack app token: Slack accepts SLACK_APP_TOKEN.',
    expect.stringMatching(/^error Slack socket: .*wss:/),
  ]);
});
