import { describe, expect, test } from 'vitest';
import { readBackupFtp } from '../../../src/hosting/payloads/backup-ftp.ts';
import { collectValues } from '../../arbitraries/profile-payload.ts';

const gib = 2 ** 30;
const secrets = ['backup-ftp.example.net', '2121', 'vps-10001', 'hunter2'];

describe('an active backup FTP space', () => {
  test.each<[string, unknown]>([
    [
      'the names of the sandbox',
      {
        state: 'active',
        quota_gb: 100,
        used_gb: 3,
        credentials: { host: 'backup-ftp.example.net', port: 2121, user: 'vps-10001', password: 'hunter2' },
      },
    ],
    [
      'a flat record',
      {
        enabled: true,
        quota: '100 GiB',
        used: '3 GiB',
        host: 'backup-ftp.example.net',
        port: 2121,
        username: 'vps-10001',
        password: 'hunter2',
      },
    ],
    [
      'names with a prefix',
      {
        is_active: true,
        quota: { total_gb: 100, used_gb: 3 },
        ftp_host: 'backup-ftp.example.net',
        ftp_port: '2121',
        ftp_user: 'vps-10001',
        ftp_pass: 'hunter2',
      },
    ],
    [
      'a wrapped record',
      {
        backup: {
          status: 'enabled',
          limit: '100 GiB',
          used: '3 GiB',
          access: { server: 'backup-ftp.example.net', port: 2121, login: 'vps-10001', pwd: 'hunter2' },
        },
      },
    ],
    [
      'names and values',
      {
        status: 'ACTIVE',
        quota_mb: 102_400,
        usage_mb: 3_072,
        credentials: [
          { name: 'host', value: 'backup-ftp.example.net' },
          { name: 'port', value: 2121 },
          { name: 'user', value: 'vps-10001' },
          { name: 'password', value: 'hunter2' },
        ],
      },
    ],
    [
      'values of value and unit',
      {
        active: true,
        quota: { value: 100, unit: 'GiB' },
        used: { value: 3, unit: 'GiB' },
        hostname: 'backup-ftp.example.net',
        port: 2121,
        account: 'vps-10001',
        secret: 'hunter2',
      },
    ],
  ])('is read from %s', (_, data) => {
    const { isActive, quotaBytes, usedBytes, credentials, redacted } = readBackupFtp(data);
    expect({ active: isActive, quotaBytes, usedBytes }).toEqual({
      active: true,
      quotaBytes: 100 * gib,
      usedBytes: 3 * gib,
    });
    expect(credentials.map(({ value }) => value)).toEqual(expect.arrayContaining(secrets));
    for (const secret of secrets) expect(collectValues(redacted)).not.toContain(secret);
  });

  test('has no secret under names that say nothing', () => {
    const { secrets, redacted } = readBackupFtp({
      on: true,
      quota_gb: 100,
      link: 'ftp://u:hunter2@host/',
      p: 'tulip',
    });
    expect(secrets.map(({ value }) => value)).toEqual(['ftp://u:hunter2@host/', 'p: tulip']);
    expect(redacted).toEqual({ on: true, quota_gb: 100 });
  });
});

describe('a backup FTP space', () => {
  test('whose quota has no unit is not said to have any bytes', () => {
    expect(readBackupFtp({ enabled: true, quota: 100 }).quotaBytes).toBeUndefined();
  });

  test.each<[unknown, boolean | undefined]>([
    [{ state: 'inactive', quota_gb: 100, credentials: null }, false],
    [{ enabled: false }, false],
    [{ backup_ftp: { status: 'Disabled' } }, false],
    [{ enabled: '1' }, true],
    [{ ftp: { active: 0 } }, false],
    [{ encryption: { enabled: false } }, undefined],
    [{ schedule: { status: 'disabled' }, quota_gb: 100 }, undefined],
    [{ status: 'provisioning' }, undefined],
    [{ quota_gb: 100 }, undefined],
    [[], undefined],
    [null, undefined],
  ])('is active, inactive or unknown: %j', (data, active) => {
    expect(readBackupFtp(data).isActive).toBe(active);
    expect(readBackupFtp(data).credentials).toEqual([]);
  });
});
