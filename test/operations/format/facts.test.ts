import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cutFacts,
  formatFact,
  formatFacts,
  formatFieldName,
  limitFacts,
} from '../../../src/operations/format/facts.ts';
import { anyPayload } from '../../arbitraries/payload.ts';

const pairs = (record: unknown, omit: readonly string[] = []) =>
  formatFacts(record, { omit }).map(({ label, value }) => [label, value]);

describe('a record of unknown shape', () => {
  test('becomes facts under readable names, those inside its parts last', () => {
    const record = {
      hostname: 'web-01',
      memory_mb: 4096,
      isRunning: true,
      os: { name: 'Debian', eol: false },
      load: 0.5,
    };
    expect(pairs(record)).toEqual([
      ['Hostname', 'web-01'],
      ['Memory', { kind: 'bytes', bytes: 4 * 1024 ** 3 }],
      ['Is running', 'yes'],
      ['Load', '0.5'],
      ['OS name', 'Debian'],
      ['OS eol', 'no'],
    ]);
  });

  test('drops empty values', () => {
    expect(pairs({ a: null, b: '', c: undefined, d: [], e: {}, f: 0, g: false })).toEqual([
      ['F', '0'],
      ['G', 'no'],
    ]);
  });

  test('shows lists of values in one line, and lists of records by their position', () => {
    expect(
      pairs({
        ips: ['192.0.2.1', '192.0.2.2'],
        disks: [{ size_gb: 80 }, { size_gb: 20 }],
        mixed: [1, { a: 2 }],
      }),
    ).toEqual([
      ['Ips', '192.0.2.1, 192.0.2.2'],
      ['Disks 1 size', { kind: 'bytes', bytes: 80 * 1024 ** 3 }],
      ['Disks 2 size', { kind: 'bytes', bytes: 20 * 1024 ** 3 }],
      ['Mixed 1', '1'],
      ['Mixed 2 a', '2'],
    ]);
  });

  test('leaves out its own fields that are shown elsewhere, but not nested ones', () => {
    const record = {
      vps_name: 'VPS-10001',
      state: 'running',
      backup: { vps_name: 'VPS-10001', state: 'active' },
    };
    expect(pairs(record, ['vps_name', 'state'])).toEqual([
      ['Backup VPS name', 'VPS-10001'],
      ['Backup state', 'active'],
    ]);
  });

  test('shows a dozen fields at first, and the others behind a button', () => {
    const facts = formatFacts(
      Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`field_${index}`, index])),
    );
    expect(facts).toHaveLength(100);
    const step = { operation: 'show', input: { vps: 'VPS-10001' } };
    const first = limitFacts(facts, { ...step, more: false });
    expect(first.facts).toHaveLength(12);
    expect(first.next).toEqual([
      { label: 'More Fields', operation: 'show', input: { vps: 'VPS-10001', more: true } },
    ]);
    expect(limitFacts(facts, { ...step, more: true })).toEqual({ facts, next: [] });
    expect(cutFacts(facts).at(-1)).toEqual({ label: 'Not shown', value: '88 more fields' });
  });

  test('leaves out what is only about the response', () => {
    const response = {
      status: 200,
      success: true,
      message: 'Maintenance tonight',
      request_id: '7f',
      data: { server: { memory_mb: 4096, links: { self: '/v1/x' }, deleted_at: '0001-01-01T00:00:00Z' } },
      meta: { page: 1, per_page: 50, total: 1, region: 'fra' },
    };
    expect(pairs(response)).toEqual([
      ['Message', 'Maintenance tonight'],
      ['Memory', { kind: 'bytes', bytes: 4 * 1024 ** 3 }],
      ['Meta region', 'fra'],
    ]);
    expect(pairs({ status: 503, snapshots: { used: 2, limit: 5, total: 9 } })).toEqual([
      ['Status', '503'],
      ['Snapshots used', '2'],
      ['Snapshots limit', '5'],
      ['Snapshots total', '9'],
    ]);
  });

  test('shows numbers with the unit beside them, and a series by its range', () => {
    expect(
      pairs({
        memory: { value: 4, unit: 'GiB' },
        disk: { used: 12, total: 80, unit: 'GB' },
        cpu: { unit: '%', values: [12.5, 12.5, 35.2, 9.1] },
        price_hour: 0.9,
      }),
    ).toEqual([
      ['Price hour', '0.9'],
      ['Memory', '4 GiB'],
      ['Disk used', '12 GB'],
      ['Disk total', '80 GB'],
      ['CPU values', '4 numbers, 9.1 to 35.2%'],
    ]);
  });

  test('says so if there is more inside than it shows', () => {
    expect(pairs({ a: { b: { c: { d: { e: { f: { g: { i: 1 } } } }, h: 2 } } } })).toEqual([
      ['A b c h', '2'],
      ['A b c d e f g', 'more fields inside'],
    ]);
  });
});

describe('a secret', () => {
  const secret = 'Hu-nter2';

  test('is not mentioned', () => {
    expect(
      pairs([
        { key: 'region', value: 'fra' },
        { has_password: true, password_set: true },
      ]),
    ).toEqual([
      ['1 key', 'region'],
      ['1 value', 'fra'],
      ['2 has password', 'yes'],
      ['2 password set', 'yes'],
    ]);
    expect(pairs({ user: 'root', root_password: secret })).toEqual([['User', 'root']]);
  });

  test('never leaks, whatever the record and wherever it is in it', () => {
    const secretField = fc.constantFrom(
      'password',
      'rootPassword',
      'api_key',
      'FTP-PWD',
      'token',
      'credentials',
      'secrets',
      'SSHKey',
    );
    const place = fc.array(fc.oneof(fc.constantFrom('data', 'vps', 'result', '__proto__'), fc.string()), {
      maxLength: 5,
    });
    const inside = fc.constantFrom<(value: string) => unknown>(
      (value) => value,
      (value) => [value],
      (value) => ({ user: value }),
      (value) => [{ value: { text: value } }],
    );
    fc.assert(
      fc.property(anyPayload, place, secretField, inside, (around, path, field, wrap) => {
        let record: unknown = Object.fromEntries([
          [field, wrap(secret)],
          ['around', around],
        ]);
        for (const step of path)
          record = Object.fromEntries([
            ['before', around],
            [step, record],
          ]);
        expect(JSON.stringify(formatFacts(record))).not.toContain(secret);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('facts of any payload', () => {
  test('have a label and text, whatever its shape', () => {
    fc.assert(
      fc.property(anyPayload, (record) => {
        const facts = formatFacts(record, { omit: ['name'] });
        expect(facts.length).toBeLessThanOrEqual(100);
        for (const { label, value } of facts) {
          expect(label).not.toBe('');
          if (typeof value === 'string') continue;
          const { kind: _, ...parts } = value;
          for (const part of Object.values(parts)) expect(part).toSatisfy(Number.isFinite);
        }
      }),
      { numRuns: 2_000, examples: [[{ '': { MB: 0 } }]] },
    );
  });
});

describe('the name of a field gives the unit of its number', () => {
  const gib = 1024 ** 3;

  test.each([
    [['memory_mb'], '8192', 'Memory', { kind: 'bytes', bytes: 8 * gib }],
    [['disk', 'sizeGiB'], 80, 'Disk size', { kind: 'bytes', bytes: 80 * gib }],
    [['bytes'], 512, 'Bytes', { kind: 'bytes', bytes: 512 }],
    [['cpu_percent'], 12.5, 'CPU', { kind: 'percent', percent: 12.5 }],
    [['uptime'], 86_400, 'Uptime', { kind: 'duration', durationMs: 86_400_000 }],
    [['retention_days'], 7, 'Retention', { kind: 'duration', durationMs: 7 * 86_400_000 }],
    [['created_at'], 1_767_225_600, 'Created at', { kind: 'time', timeMs: 1_767_225_600_000 }],
    [['expiresAt'], 1_767_225_600_000, 'Expires at', { kind: 'time', timeMs: 1_767_225_600_000 }],
    [['started'], '2026-01-01T00:00:00Z', 'Started', { kind: 'time', timeMs: 1_767_225_600_000 }],
  ])('%j: %j is %s: %j', (path, value, label, expected) => {
    expect(formatFact(path, value)).toEqual({ label, value: expected });
  });

  test.each([
    [['memory_mb'], -1],
    [['maxmem'], 8 * gib],
    [['price_hour'], 0.9],
    [['weight_min'], 2],
    [['quotaPerMinute'], 50],
    [['traffic_mb_per_day'], 5],
    [['id'], 1_767_225_600],
    [['created_at'], 12],
    [['uptime'], 9e15],
    [['memory_mb'], 'plenty'],
    [['latency_ms'], 12],
  ])('%j: %j stays as it is', (path, value) => {
    expect(formatFact(path, value).value).toBe(String(value));
  });
});

describe('a name', () => {
  test.each([
    [['vps_name'], 'VPS name'],
    [['ipAddress'], 'IP address'],
    [['cpu', 'cores'], 'CPU cores'],
    [['diskGB'], 'Disk GB'],
    [['external-port'], 'External port'],
    [['_'], ''],
    [['größe'], 'Größe'],
  ])('%j is formatted as %j', (path, text) => {
    expect(formatFieldName(path)).toBe(text);
  });
});
