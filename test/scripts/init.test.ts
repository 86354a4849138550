import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { createSlackSandbox } from 'slack-sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { childEnvironment } from '../child-environment.ts';
import { startHostingSandbox } from '../sandbox/hosting/hosting-sandbox-fixture.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';
import { manifestPath } from '../stack.ts';

/** Starts `npm run init` in an empty directory, in a terminal, and types an answer at each prompt. */
function startInit(directory: string, env: Record<string, string>) {
  const command = `${process.execPath} ${resolve('scripts/init.ts')}`;
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    cwd: directory,
    env: { ...childEnvironment, ...env },
  });
  onTestFinished(() => void child.kill());
  let printed = '';
  let changed = Promise.withResolvers<void>();
  child.stdout.on('data', (chunk) => {
    printed += String(chunk);
    changed.resolve();
    changed = Promise.withResolvers();
  });
  const ended = waitForExit(child);
  return {
    ended,
    printed: () => printed,
    /** Waits until the newest prompt follows the text, and types the answer. */
    async answer(after: string, text: string) {
      const from = () => printed.lastIndexOf(after);
      while (from() < 0 || !printed.slice(from()).includes('> ')) await changed.promise;
      child.stdin.write(`${text}\r`);
    },
  };
}

function waitForExit(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => child.on('exit', done));
}

test('asks for what is missing, checks each answer, and writes a file that only its user can read', async () => {
  const { url } = await startHostingSandbox();
  const slack = await createSlackSandbox({ port: 0, manifest: manifestPath });
  onTestFinished(() => slack.close());
  const directory = makeScratchDirectory('init');
  const init = startInit(directory, { SLACK_API_URL: `${slack.url}/api/` });

  await init.answer('1 of 4: Bot token', 'xapp-sandbox');
  await init.answer('must start with xoxb-', 'xoxb-wrong');
  await init.answer('Slack rejected SLACK_BOT_TOKEN', 'xoxb-sandbox-acme');
  await init.answer('2 of 4: App-level token', 'xapp-sandbox');
  await init.answer('3 of 4: URL', 'http://127.0.0.1:1');
  await init.answer('Nothing answers at', url);
  await init.answer('4 of 4: API key', 'wrong-key');
  await init.answer('The check failed (key_rejected)', 'sandbox-key-full');

  expect(await init.ended).toBe(0);
  const text = init.printed();
  expect(text).toContain('https://api.slack.com/apps?new_app=1&manifest_yaml=');
  expect(text).toMatch(/OK +Slack scopes/);
  expect(text).toContain('Now type /vps in Slack.');
  // What is typed for a secret isn't shown.
  for (const secret of ['xoxb-sandbox-acme', 'sandbox-key-full', 'xoxb-wrong']) {
    expect(text).not.toContain(secret);
  }
  const file = `${directory}/.env`;
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const settings = parseEnv(readFileSync(file, 'utf8'));
  expect(settings).toMatchObject({
    SLACK_BOT_TOKEN: 'xoxb-sandbox-acme',
    HOSTING_API_KEY: 'sandbox-key-full',
  });
  expect(Buffer.from(settings.ENCRYPTION_KEYS ?? '', 'base64')).toHaveLength(32);
});

test('keeps the answers when it is interrupted, and without a terminal prints what to set', async () => {
  const slack = await createSlackSandbox({ port: 0, manifest: manifestPath });
  onTestFinished(() => slack.close());
  const directory = makeScratchDirectory('init');
  const env = { SLACK_API_URL: `${slack.url}/api/` };
  const init = startInit(directory, env);
  await init.answer('1 of 4: Bot token', 'xoxb-sandbox-acme');
  await init.answer('2 of 4: App-level token', '\u0003');
  expect(await init.ended).toBe(1);
  expect(init.printed()).toContain('Run npm run init again');
  expect(readFileSync(`${directory}/.env`, 'utf8')).toBe('SLACK_BOT_TOKEN=xoxb-sandbox-acme\n');

  const piped = spawn(process.execPath, [resolve('scripts/init.ts')], {
    cwd: directory,
    env: { ...childEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  piped.stdout.on('data', (chunk) => (printed += String(chunk)));
  expect(await waitForExit(piped)).toBe(1);
  expect(printed).toContain('SLACK_APP_TOKEN=…');
  expect(printed).not.toContain('SLACK_BOT_TOKEN=…');
});
