import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { childEnvironment } from '../child-environment.ts';

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

async function temporaryFile(name: string, content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** Takes a port until the test ends. */
async function takenPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return String(typeof address === 'object' && address ? address.port : 0);
}

const urlIn = (text: string) => /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? '';

test('the Slack workspace alone runs any app’s manifest, and ends cleanly', async () => {
  const manifest = await temporaryFile(
    'manifest.yml',
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
  const workspace = await fetch(`${urlIn(printed())}/sandbox/workspace`);
  expect(await workspace.json()).toMatchObject({ app: { name: 'Mine' }, commands: [{ command: '/mine' }] });
  // An open page keeps connections, which must not delay the end.
  const page = await fetch(`${urlIn(printed())}/sandbox/traffic/events`);
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(failed()).toBe('');
  await expect(page.text()).rejects.toThrow();
});

describe('a sandbox that cannot start prints one line with the reason, without a stack trace', () => {
  async function failure(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
    const { ended, failed, printed } = start(args, env);
    expect(await ended).toBe(1);
    expect(printed()).toBe('');
    expect(failed().trimEnd()).not.toContain('\n');
    return failed().trimEnd();
  }

  test('if a port is in use', async () => {
    const port = await takenPort();
    const message = `Port ${port} of 127.0.0.1 is in use by another process`;
    const database = { DATABASE_URL: 'sqlite::memory:' };
    expect(await failure([], { SANDBOX_SLACK_PORT: port, ...database })).toBe(message);
  });

  test('if the manifest does not exist, does not parse, or is not a manifest', async () => {
    expect(await failure(['slack', '--manifest', 'no/such/manifest.yml'])).toBe(
      'The Slack app manifest no/such/manifest.yml cannot be read: there is no such file',
    );
    const torn = await temporaryFile('torn.yml', 'display_information: { name: [\nfeatures');
    expect(await failure(['slack', '--manifest', torn])).toContain('torn.yml is neither YAML nor JSON: ');
  });
});
