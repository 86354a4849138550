import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatFacts, formatFieldName, formatFieldValue } from '../../../src/operations/format/facts.ts';
import { anyPayload } from '../../arbitraries/payload.ts';

const pairs = (record: unknown, omit: readonly string[] = []) =>
  formatFacts(record, { omit }).map(({ label, value }) => [label, value]);

describe('a record of unknown shape', () => {
  test('becomes facts under readable names, in its own order', () => {
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
      ['OS name', 'Debian'],
      ['OS eol', 'no'],
      ['Load', '0.5'],
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

  test('can be a list itself', () => {
    expect(pairs(['a', 'b'])).toEqual([['Value', 'a, b']]);
    expect(pairs([{ id: 1 }])).toEqual([['1 ID', '1']]);
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

  test('shows 40 fields at most and says that there are more', () => {
    const facts = formatFacts(
      Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field_${index}`, index])),
    );
    expect(facts).toHaveLength(41);
    expect(facts.at(-1)).toEqual({ label: 'More', value: 'more fields are not shown' });
  });

  test('says so if there is more inside than it shows', () => {
    expect(pairs({ a: { b: { c: { d: { e: 1 }, f: 2 } } } })).toEqual([
      ['A b c d', 'more fields inside'],
      ['A b c f', '2'],
    ]);
  });
});

describe('a secret', () => {
  const secret = 'Hu-nter2';

  test.each<[string, unknown]>([
    ['a field', { root_password: secret }],
    ['a field deep inside', { result: { access: { ftpPassword: secret } } }],
    ['a list', { api_keys: [secret, secret] }],
    ['a list of records', { accounts: [{ user: 'root', pwd: secret }] }],
    [
      'anything in a place for secrets',
      { credentials: { host: secret, port: 21, nested: { deep: [{ x: secret }] } } },
    ],
    ['a pair', [{ name: 'root_password', value: secret }]],
    ['a pair in capitals', { fields: [{ Label: 'API token', Value: { text: secret } }] }],
    ['a pair called key and value', { meta: [{ key: 'db_password', value: secret }] }],
    ['a URL', { backup: `ftp://vps-10001:${secret}@backup.example.net/` }],
    ['a list of URLs', { mirrors: [`https://u:${secret}@a.example`, `https://u:${secret}@b.example`] }],
    ['a sentence', { message: `The new root password is: ${secret}` }],
    ['a sentence in a list', { messages: ['done', `token: ${secret}`] }],
    ['a field below the depth that is shown', { a: { b: { c: { password: secret } } } }],
    ['a link to a console', { console_url: `https://vnc.example/?t=${secret}` }],
    ['a pair in another language', [{ name: 'Kennwort', wert: secret }]],
  ])('is hidden in %s', (_, record) => {
    expect(JSON.stringify(formatFacts(record))).not.toContain(secret);
  });

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

  test('does not hide its neighbors', () => {
    expect(
      pairs({
        snapshots: [{ name: 'before-password-change', size_gb: 8 }],
        pair: { name: 'os', value: 'Debian' },
      }),
    ).toEqual([
      ['Snapshots 1 name', 'before-password-change'],
      ['Snapshots 1 size', { kind: 'bytes', bytes: 8 * 1024 ** 3 }],
      ['Pair name', 'os'],
      ['Pair value', 'Debian'],
    ]);
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
        expect(facts.length).toBeLessThanOrEqual(41);
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

  test.each<[unknown]>([[null], [undefined], ['text'], [7], [true], [{}], [[]]])(
    'are none for a payload that is %j',
    (record) => {
      expect(formatFacts(record)).toEqual([]);
    },
  );
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

describe('a value', () => {
  test.each([
    [true, 'yes'],
    [false, 'no'],
    [0, '0'],
    ['<!channel>', '<!channel>'],
  ])('%j is formatted as %j', (value, text) => {
    expect(formatFieldValue(value)).toBe(text);
  });
});
