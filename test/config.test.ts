import { describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

const complete = {
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_APP_TOKEN: 'xapp-1',
  HOSTING_API_URL: 'https://api.hosting.example',
  ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64'),
};

function problems(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return error instanceof Error
      ? error.message
          .split('\n')
          .slice(1)
          .map((line) => line.trim())
      : [];
  }
}

describe('the settings', () => {
  test('are complete with four, the rest having defaults', () => {
    expect(readConfig(complete)).toMatchObject({
      slack: { apiUrl: 'https://slack.com/api/', delivery: { mode: 'socket', appToken: 'xapp-1' } },
      hosting: { baseUrl: 'https://api.hosting.example', keyHeader: 'authorization' },
      workspace: { botToken: 'xoxb-1' },
      databaseUrl: 'sqlite:data/rackhand.db',
      logLevel: 'info',
    });
  });

  test('choose signed HTTP where there is a signing secret and no app token', () => {
    const { SLACK_APP_TOKEN: _, ...rest } = complete;
    expect(readConfig({ ...rest, SLACK_SIGNING_SECRET: 's', PORT: '3100' })).toMatchObject({
      slack: { delivery: { mode: 'http', signingSecret: 's' } },
      server: { port: 3100 },
    });
  });

  test('say where people reach the server', () => {
    expect(readConfig({ ...complete, PUBLIC_URL: 'https://bot.example.com/' }).publicUrl).toBe(
      'https://bot.example.com',
    );
    expect(problems({ ...complete, PUBLIC_URL: 'bot.example.com' })).toEqual([
      'PUBLIC_URL must be a URL that begins with https:// or http://',
    ]);
  });

  test('keep the record for a year unless they say otherwise, and for ever by 0', () => {
    expect(readConfig(complete).recordRetentionDays).toBe(365);
    expect(readConfig({ ...complete, RECORD_RETENTION_DAYS: '0' }).recordRetentionDays).toBe(0);
    for (const days of ['-1', '1.5', 'a year']) {
      expect(problems({ ...complete, RECORD_RETENTION_DAYS: days })).toEqual([
        'RECORD_RETENTION_DAYS must be a number of days, 0 to 36500',
      ]);
    }
  });

  test('take several encryption keys, the first first', () => {
    const second = Buffer.alloc(32, 2).toString('base64');
    const { encryptionKeys } = readConfig({
      ...complete,
      ENCRYPTION_KEYS: `${complete.ENCRYPTION_KEYS}, ${second}`,
    });
    expect(encryptionKeys.map((key) => key[0])).toEqual([1, 2]);
  });

  test('are complete without a bot token where workspaces install the app by OAuth', () => {
    const { SLACK_BOT_TOKEN: _, ...rest } = complete;
    const oauth = {
      SLACK_CLIENT_ID: '1.2',
      SLACK_CLIENT_SECRET: 'client',
      SLACK_STATE_SECRET: 'sixteen or more ones',
    };
    const config = readConfig({ ...rest, ...oauth });
    expect(config.workspace).toBeUndefined();
    expect(config.slack.oauth).toEqual({
      clientId: '1.2',
      clientSecret: 'client',
      stateSecret: 'sixteen or more ones',
    });
    expect(readConfig({ ...complete, ...oauth }).workspace).toEqual({ botToken: 'xoxb-1' });
    expect(problems({ ...rest, SLACK_CLIENT_ID: '1.2' })).toEqual([
      expect.stringContaining('SLACK_CLIENT_SECRET is missing'),
      expect.stringContaining('SLACK_STATE_SECRET is missing'),
    ]);
    expect(problems({ ...rest, ...oauth, SLACK_STATE_SECRET: 'too short' })).toEqual([
      'SLACK_STATE_SECRET must have at least 16 characters',
    ]);
    expect(problems({ ...rest, ...oauth, HOSTING_API_KEY: 'key' })).toEqual([
      expect.stringContaining('HOSTING_API_KEY is for the workspace of SLACK_BOT_TOKEN, which is missing'),
    ]);
  });

  test('that are empty count as missing', () => {
    expect(problems({ ...complete, HOSTING_API_URL: ' ' })).toEqual(['HOSTING_API_URL is missing']);
  });

  test('that are missing are named all at once', () => {
    expect(problems({})).toEqual([
      'HOSTING_API_URL is missing',
      'ENCRYPTION_KEYS is missing',
      expect.stringContaining('SLACK_BOT_TOKEN is missing'),
      expect.stringContaining('SLACK_APP_TOKEN is missing'),
    ]);
  });

  test.each([
    ['SLACK_BOT_TOKEN', 'xoxp-1'],
    ['SLACK_APP_TOKEN', 'xoxb-1'],
    ['SLACK_API_URL', 'slack.com'],
    ['HOSTING_API_URL', 'ftp://api.hosting.example'],
    ['HOSTING_API_URL', 'https://api.hosting.example/v1'],
    ['HOSTING_API_URL', 'nope'],
    ['HOSTING_API_URL', '127.0.0.1:4010'],
    ['HOSTING_VPS_ACTIONS', 'reboot, shut down'],
    ['HOSTING_API_URL', 'https://user:pass@api.hosting.example'],
    ['HOSTING_API_URL', 'https://api.hosting.example?x=1'],
    ['HOSTING_API_KEY', 'two words'],
    ['HOSTING_KEY_HEADER', 'cookie'],
    ['HOSTING_IP_IPV4_LIST_PATH', 'ips'],
    ['HOSTING_IP_IPV4_LIST_PATH', '/v1/ips/{id}'],
    ['HOSTING_IP_IPV4_DETACH_PATH', '/v1/ips/detach'],
    ['ENCRYPTION_KEYS', 'short'],
    ['ENCRYPTION_KEYS', Buffer.alloc(16).toString('base64')],
    ['DATABASE_URL', 'mysql://localhost'],
    ['REDIS_URL', 'http://localhost'],
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['LOG_LEVEL', 'loud'],
  ])('name %s where it is malformed, and never repeat "%s"', (name, value) => {
    const [problem, ...others] = problems({ ...complete, [name]: value });
    expect(problem).toMatch(new RegExp(`^${name} must `));
    expect(problem).not.toContain(value);
    expect(others).toEqual([]);
  });

  test('replace the paths that the API document leaves open', () => {
    const { hosting } = readConfig({ ...complete, HOSTING_IP_IPV4_LIST_PATH: '/v1/ips' });
    expect(hosting.openPaths).toEqual({ HOSTING_IP_IPV4_LIST_PATH: '/v1/ips' });
  });
});
