import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { secretSettings } from '../src/config/secret-files.ts';
import { readConfig, readDatabaseConfig } from '../src/config.ts';
import { makeScratchDirectory } from './scratch-directory.ts';

const minimalEnv = {
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_APP_TOKEN: 'xapp-1',
  HOSTING_API_URL: 'https://api.hosting.example',
  ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64'),
};

function readProblems(env: Record<string, string>): string[] {
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

describe('readConfig', () => {
  test('needs four settings and has defaults for the others', () => {
    expect(readConfig(minimalEnv)).toMatchObject({
      slack: { apiUrl: 'https://slack.com/api/', delivery: { mode: 'socket', appToken: 'xapp-1' } },
      hosting: { baseUrl: 'https://api.hosting.example', keyHeader: 'authorization' },
      workspace: { botToken: 'xoxb-1' },
      databaseUrl: 'sqlite:data/rackhand.db',
      logLevel: 'info',
    });
  });

  test('chooses signed HTTP for a signing secret without an app token', () => {
    const { SLACK_APP_TOKEN: _, ...otherSettings } = minimalEnv;
    expect(
      readConfig({ ...otherSettings, SLACK_SIGNING_SECRET: 'sixteen-characters', PORT: '3100' }),
    ).toMatchObject({
      slack: { delivery: { mode: 'http', signingSecret: 'sixteen-characters' } },
      server: { port: 3100 },
    });
  });

  test('listens only on this machine with Socket Mode, unless HOST says otherwise', () => {
    const { SLACK_APP_TOKEN: _, ...otherSettings } = minimalEnv;
    expect(readConfig(minimalEnv).server.host).toBe('127.0.0.1');
    expect(readConfig({ ...minimalEnv, HOST: '0.0.0.0' }).server.host).toBe('0.0.0.0');
    expect(
      readConfig({ ...otherSettings, SLACK_SIGNING_SECRET: 'sixteen-characters' }).server.host,
    ).toBeUndefined();
  });

  test('ignores spaces around tokens and keys', () => {
    const env = { ...minimalEnv, SLACK_BOT_TOKEN: ' xoxb-1\n', HOSTING_API_KEY: 'key ' };
    expect(readConfig(env).workspace).toEqual({ botToken: 'xoxb-1', apiKey: 'key' });
  });

  test('takes an IPv6 address as HOST, with or without brackets', () => {
    expect(readConfig({ ...minimalEnv, HOST: '::1' }).server.host).toBe('::1');
    expect(readConfig({ ...minimalEnv, HOST: '[::1]' }).server.host).toBe('::1');
  });

  test('reads PUBLIC_URL without its trailing slash', () => {
    expect(readConfig({ ...minimalEnv, PUBLIC_URL: 'https://bot.example.com/' }).publicUrl).toBe(
      'https://bot.example.com',
    );
    expect(readProblems({ ...minimalEnv, PUBLIC_URL: 'bot.example.com' })).toEqual([
      'PUBLIC_URL must be a URL that starts with https:// or http://',
    ]);
  });

  test('gives one person 80 % of the quota by default', () => {
    expect(readConfig(minimalEnv).quotaPersonShare).toBe(0.8);
    expect(readConfig({ ...minimalEnv, QUOTA_PERSON_SHARE: '100' }).quotaPersonShare).toBe(1);
    for (const share of ['0', '101', '0.6', 'half']) {
      expect(readProblems({ ...minimalEnv, QUOTA_PERSON_SHARE: share })).toEqual([
        'QUOTA_PERSON_SHARE must be a percentage, 1 to 100',
      ]);
    }
  });

  test('keeps audit entries for a year by default, and forever for 0', () => {
    expect(readConfig(minimalEnv).auditRetentionDays).toBe(365);
    expect(readConfig({ ...minimalEnv, AUDIT_RETENTION_DAYS: '0' }).auditRetentionDays).toBe(0);
    for (const days of ['-1', '1.5', 'a year']) {
      expect(readProblems({ ...minimalEnv, AUDIT_RETENTION_DAYS: days })).toEqual([
        'AUDIT_RETENTION_DAYS must be a number of days, 0 to 36500',
      ]);
    }
  });

  test('reads several encryption keys in order', () => {
    const second = Buffer.alloc(32, 2).toString('base64');
    const { encryptionKeys } = readConfig({
      ...minimalEnv,
      ENCRYPTION_KEYS: `${minimalEnv.ENCRYPTION_KEYS}, ${second}`,
    });
    expect(encryptionKeys.map((key) => key[0])).toEqual([1, 2]);
  });

  test('needs no bot token where workspaces install the app by OAuth', () => {
    const { SLACK_BOT_TOKEN: _, ...otherSettings } = minimalEnv;
    const oauth = {
      SLACK_CLIENT_ID: '1.2',
      SLACK_CLIENT_SECRET: 'client',
      SLACK_STATE_SECRET: 'sixteen or more ones',
    };
    const config = readConfig({ ...otherSettings, ...oauth });
    expect(config.workspace).toBeUndefined();
    expect(config.slack.oauth).toEqual({
      clientId: '1.2',
      clientSecret: 'client',
      stateSecret: 'sixteen or more ones',
      migratesTokens: false,
    });
    const rotating = readConfig({ ...otherSettings, ...oauth, SLACK_TOKEN_ROTATION: 'on' });
    expect(rotating.slack.oauth).toMatchObject({ migratesTokens: true });
    expect(() =>
      readConfig({ ...otherSettings, ...oauth, SLACK_BOT_TOKEN: 'xoxb-1', SLACK_TOKEN_ROTATION: 'on' }),
    ).toThrow('would make that token useless');
    expect(readConfig({ ...minimalEnv, ...oauth }).workspace).toEqual({ botToken: 'xoxb-1' });
    expect(readProblems({ ...otherSettings, SLACK_CLIENT_ID: '1.2' })).toEqual([
      expect.stringContaining('SLACK_CLIENT_SECRET is missing'),
      expect.stringContaining('SLACK_STATE_SECRET is missing'),
    ]);
    expect(readProblems({ ...otherSettings, ...oauth, SLACK_STATE_SECRET: 'too short' })).toEqual([
      'SLACK_STATE_SECRET must have at least 16 characters',
    ]);
    expect(readProblems({ ...otherSettings, ...oauth, HOSTING_API_KEY: 'key' })).toEqual([
      expect.stringContaining('HOSTING_API_KEY needs SLACK_BOT_TOKEN'),
    ]);
  });

  test('treats an empty setting as missing', () => {
    expect(readProblems({ ...minimalEnv, HOSTING_API_URL: ' ' })).toEqual(['HOSTING_API_URL is missing']);
  });

  test('names all missing settings in one error, and to a tool only those of the database', () => {
    expect(() => readDatabaseConfig({})).toThrow(/^[^\n]*\n *ENCRYPTION_KEYS is missing$/);
    expect(readProblems({})).toEqual([
      'HOSTING_API_URL is missing',
      'ENCRYPTION_KEYS is missing',
      expect.stringContaining('SLACK_BOT_TOKEN is missing'),
      expect.stringContaining('SLACK_APP_TOKEN is missing'),
    ]);
  });

  test.each([
    ['SLACK_BOT_TOKEN', 'xoxp-1'],
    ['SLACK_APP_TOKEN', 'xoxb-1'],
    ['SLACK_BOT_TOKEN', 'xoxb-two\nlines'],
    ['SLACK_APP_TOKEN', 'xapp-two words'],
    ['SLACK_APP_TOKEN', 'xapp-…'],
    ['HOSTING_API_KEY', 'key-…'],
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
    ['ENCRYPTION_KEYS', Buffer.alloc(32).toString('base64')],
    ['HOSTING_VPS_ACTIONS', 'reboot,..'],
    ['SLACK_SIGNING_SECRET', 'too-short'],
    ['HOSTING_API_URL', 'http://api.hosting.example'],
    ['HOSTING_API_URL', 'http://[fc::1]'],
    ['HOSTING_API_URL', 'http://169.254.169.254'],
    ['HOSTING_API_URL', 'https://metadata.google.internal'],
    ['HOSTING_API_URL', 'http://[fd00:ec2::254]'],
    ['SLACK_API_URL', 'http://slack.example/api/'],
    ['HOSTING_IP_IPV4_LIST_PATH', '/v1/../admin'],
    ['HOSTING_IP_IPV4_LIST_PATH', '/v1/ips?all=1'],
    ['METRICS_TOKEN', 'too-short'],
    ['DATABASE_URL', 'mysql://localhost'],
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['LOG_LEVEL', 'loud'],
  ])('names an invalid %s without repeating its value "%s"', (name, value) => {
    const [problem, ...others] = readProblems({ ...minimalEnv, [name]: value });
    expect(problem).toMatch(new RegExp(`^${name} must `));
    expect(problem).not.toContain(value);
    expect(others).toEqual([]);
  });

  test.each(['http://127.0.0.1:4010', 'http://hosting:4010', 'http://10.1.2.3', 'http://[::1]:4010'])(
    'accepts %s, which stays in a private network',
    (url) => {
      expect(readConfig({ ...minimalEnv, HOSTING_API_URL: url }).hosting.baseUrl).toBe(url);
    },
  );

  test('warns of a database that is reached over a network without TLS', () => {
    const warningsOf = (url: string) => readConfig({ ...minimalEnv, DATABASE_URL: url }).warnings;
    expect(warningsOf('postgres://db.example/rackhand')).toEqual([expect.stringContaining('DATABASE_URL')]);
    expect(warningsOf('postgres://db.example/rackhand?sslmode=verify-full')).toEqual([]);
    expect(warningsOf('postgres://db/rackhand')).toEqual([]);
  });

  test.each(secretSettings)('reads %s from a file', (name) => {
    const folder = makeScratchDirectory('secrets');
    const file = join(folder, 'secret');
    const values: Record<string, string> = {
      ...minimalEnv,
      SLACK_SIGNING_SECRET: 'sixteen-characters',
      SLACK_CLIENT_ID: '1.2',
      SLACK_CLIENT_SECRET: 'client-secret',
      SLACK_STATE_SECRET: 'sixteen-characters',
      HOSTING_API_KEY: 'key',
      DATABASE_URL: 'postgres://db/rackhand',
      METRICS_TOKEN: 'sixteen-characters',
    };
    const { [name]: value = '', ...others } = values;
    writeFileSync(file, `${value}\n`);
    expect(readConfig({ ...others, [`${name}_FILE`]: file })).toEqual(readConfig(values));
    expect(readProblems({ ...values, [`${name}_FILE`]: file })).toEqual([
      `${name}_FILE can't be set together with ${name}`,
    ]);
    expect(readProblems({ ...others, [`${name}_FILE`]: `${file}-missing` })).toEqual([
      `${name}_FILE names ${file}-missing, which can't be read (ENOENT)`,
    ]);
    expect(readFileSync('docs/settings.md', 'utf8')).toMatch(new RegExp(`works for .*\`${name}\``, 's'));
  });

  test('replaces the paths that the API document leaves open', () => {
    const { hosting } = readConfig({ ...minimalEnv, HOSTING_IP_IPV4_LIST_PATH: '/v1/ips' });
    expect(hosting.pathOverrides).toEqual({ HOSTING_IP_IPV4_LIST_PATH: '/v1/ips' });
  });
});
