import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { childEnvironment } from '../child-environment.ts';

const { scripts, engines } = z
  .object({ scripts: z.record(z.string(), z.string()), engines: z.object({ node: z.string() }) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

/**
 * The check must come before the script or run in its process. An `&&` would keep a shell between,
 * which does not forward npm's signals.
 */
const checkPrefixes = ['node scripts/check-node.cjs && ', 'node --require ./scripts/check-node.cjs '];

describe('every script', () => {
  test.each(Object.entries(scripts))('%s checks the version of Node.js first', (_, command) => {
    expect(checkPrefixes.some((check) => command.startsWith(check))).toBe(true);
  });
});

describe('the check of Node.js', () => {
  const run = (version: string) => {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); require('./scripts/check-node.cjs')`;
    return spawnSync(process.execPath, ['-e', pretend], { encoding: 'utf8' });
  };

  test('accepts the required version', () => {
    const wanted = /\d+\.\d+\.\d+/.exec(engines.node)?.[0] ?? '';
    expect(run(wanted)).toMatchObject({ status: 0, stderr: '' });
  });

  test.each(['20.20.2', '23.11.0'])('prints one line that says what to do with %s', (version) => {
    const { status, stderr } = run(version);
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('npm rebuild node');
  });
});

describe('npm start', () => {
  const start = (env: Record<string, string>) =>
    spawnSync(process.execPath, ['src/main.ts'], {
      encoding: 'utf8',
      env: { ...childEnvironment, ...env },
    });

  test('with a Slack that cannot be reached prints one line with the reason, and exits with 1', () => {
    const { status, stderr } = start({
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_APP_TOKEN: 'xapp-1',
      SLACK_API_URL: 'http://127.0.0.1:1/api/',
      HOSTING_API_URL: 'http://127.0.0.1:1',
      ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64'),
      DATABASE_URL: 'sqlite::memory:',
    });
    expect(status).toBe(1);
    expect(stderr.trim()).toBe("Slack can't be reached at http://127.0.0.1:1/api/.");
  });

  test('without settings prints one message that names each missing one, and exits with 1', () => {
    const { status, stdout, stderr } = start({});
    expect(status).toBe(1);
    expect(stdout).toBe('');
    for (const name of ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'HOSTING_API_URL', 'ENCRYPTION_KEYS']) {
      expect(stderr).toContain(`${name} is missing`);
    }
    expect(stderr).not.toContain(' at ');
  });
});
