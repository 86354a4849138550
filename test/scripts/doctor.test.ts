import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSlackSandbox } from 'slack-sandbox';
import { expect, test } from 'vitest';
import type { CheckLine } from '../../scripts/doctor/check-line.ts';
import { checkSlack } from '../../scripts/doctor/check-slack.ts';
import { runChecks } from '../../scripts/doctor/run-checks.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/engines/database.ts';
import { childEnvironment } from '../child-environment.ts';
import { startHostingSandbox } from '../sandbox/hosting/hosting-sandbox-fixture.ts';
import { manifestPath } from '../stack.ts';

const run = promisify(execFile);

async function runDoctor(url: string, env: Record<string, string> = {}, ...options: string[]) {
  const result = run(process.execPath, ['scripts/doctor.ts', ...options], {
    env: { ...childEnvironment, HOSTING_API_URL: url, HOSTING_API_KEY: 'sandbox-key-full', ...env },
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

const newFile = () => join(mkdtempSync(join(tmpdir(), 'doctor-')), 'profile.json');

test('prints where values are, and writes a matching profile', async () => {
  const { url } = await startHostingSandbox();
  const file = newFile();
  const written = await runDoctor(url, {}, '--profile', file);
  expect(written.stdout).toMatch(/^vps\.names +vps\[\]\.vps_name +VPS-10001/m);
  expect(written.stdout).not.toContain('sandbox-key-full');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    version: 1,
    values: { 'vps.list_state': { field: 'vps[].state' } },
  });
  const checked = await runDoctor(url, { HOSTING_PROFILE: file }, '--values');
  expect(checked).toMatchObject({ code: 0 });
  expect(checked.stdout).not.toContain('not in the payload');
});

// Starts six processes.
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
    const env = { HOSTING_API_URL: url, HOSTING_API_KEY: 'sandbox-key-full', ...healthy, ...settings };
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
  const directory = mkdtempSync(join(tmpdir(), 'doctor-'));
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
