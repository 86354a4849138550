import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { childEnvironment } from '../child-environment.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';

/** A sandbox as `npm run` starts it, with what it has printed so far. */
interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  printed(): string;
  failed(): string;
}

function start(args: readonly string[], env: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, ['src/sandbox/main.ts', ...args], {
    env: { ...childEnvironment, SANDBOX_SLACK_PORT: '0', SANDBOX_HOSTING_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  let failed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  child.stderr.on('data', (chunk) => {
    failed += chunk;
  });
  const ended = once(child, 'close').then(([code]) => code);
  return { child, ended, printed: () => printed, failed: () => failed };
}

const urlIn = (text: string) => /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? '';

test('the Slack workspace alone runs any app’s manifest on a free port, and ends cleanly', async () => {
  const manifest = join(makeScratchDirectory('sandbox'), 'manifest.yml');
  writeFileSync(
    manifest,
    [
      'display_information: { name: Mine }',
      'features:',
      '  bot_user: { display_name: Mine }',
      '  slash_commands: [{ command: /mine, description: Mine }]',
      'oauth_config: { scopes: { bot: [commands] } }',
    ].join('\n'),
  );
  const { child, ended, printed, failed } = start(['slack', '--manifest', manifest]);
  await expect.poll(printed).toContain('Stop it');
  const url = urlIn(printed());
  const workspace = await fetch(`${url}/sandbox/workspace`);
  expect(await workspace.json()).toMatchObject({ app: { name: 'Mine' }, commands: [{ command: '/mine' }] });

  const { port } = new URL(url);
  expect(await failure(['slack'], { SANDBOX_SLACK_PORT: port })).toBe(
    `Port ${port} of 127.0.0.1 is in use by another process`,
  );
  // An open page keeps connections, which must not delay the end.
  const page = await fetch(`${url}/sandbox/traffic/events`);
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(failed()).toBe('');
  await expect(page.text()).rejects.toThrow();
});

test('a sandbox whose manifest does not exist says so', async () => {
  expect(await failure(['slack', '--manifest', 'no/such/manifest.yml'])).toBe(
    'The Slack app manifest no/such/manifest.yml cannot be read: there is no such file',
  );
});

/** Starts a sandbox that can't start, and returns the only line that it prints. */
async function failure(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { ended, failed, printed } = start(args, env);
  expect(await ended).toBe(1);
  expect(printed()).toBe('');
  expect(failed().trimEnd()).not.toContain('\n');
  return failed().trimEnd();
}
