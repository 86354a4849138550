import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPasswordResult, readResultSecrets } from '../../../src/hosting/readings/results.ts';
import { isNamedSecret, looksSecret } from '../../../src/hosting/secrets.ts';
import { everythingIn, payload } from './whole.ts';

describe('a secret in a result is taken apart from what is shown', () => {
  test.each<[string, unknown, unknown]>([
    ['by its name', { vps_name: 'VPS-1', root_password: 'hunter2' }, { vps_name: 'VPS-1' }],
    ['by its place', { credentials: { user: 'root', list: ['hunter2'] }, ok: 1 }, { ok: 1 }],
    [
      'as a value beside its name',
      [
        { name: 'root_password', value: 'hunter2' },
        { name: 'os', value: 'x' },
      ],
      { others: [{ name: 'root_password' }, { name: 'os', value: 'x' }] },
    ],
    ['as a number', { pin: 7, new_pwd: 12_345 }, { pin: 7 }],
    ['in a sentence', { message: 'The new root password is hunter2.', state: 'done' }, { state: 'done' }],
    ['in a line', { output: ['host: a', 'password: hunter2'] }, { output: ['host: a'] }],
    ['in a link', { link: 'https://panel.example/reset?reset_token=hunter2' }, {}],
    ['in the user part of a URL', { url: 'ftp://root:hunter2@host/' }, { url: 'ftp://root:…@host/' }],
  ])('%s', (_, data, shown) => {
    const reading = readResultSecrets(data);
    expect(reading.shown).toEqual(shown);
    expect(reading.secrets.some(({ value }) => value.includes('hunter2') || value === '12345')).toBe(true);
  });

  test('with the path to it', () => {
    expect(readResultSecrets({ result: [{ api_key: 'k', note: 'n' }] }).secrets).toEqual([
      { path: ['result', '1', 'api_key'], value: 'k' },
    ]);
  });

  test('and what is only about one stays', () => {
    const data = {
      password_reset: true,
      password: null,
      tokens: [],
      keyboard: 'a key',
      message: 'The new password is sent by e-mail.',
      status: 'keyed',
    };
    expect(readResultSecrets(data)).toEqual({ shown: data, secrets: [] });
  });
});

describe('the result of a password reset', () => {
  test.each<[string]>([['xK7!pQ2m'], ['Zk3-9fQw-LmP2'], ['aB3$aB3$aB3$aB3$']])(
    'may carry the password under any name: %s',
    (password) => {
      const reading = readPasswordResult({ vps_name: 'VPS-10001', result: { value: password } });
      expect(reading).toEqual({
        shown: { vps_name: 'VPS-10001', result: {} },
        secrets: [{ path: ['result', 'value'], value: password }],
      });
    },
  );

  test('shows what no machine has chosen', () => {
    const data = {
      vps_name: 'VPS-aB3',
      at: '2026-11-21T10:00:00+00:00',
      sent_to: 'Alice.Ops1@Acme.example',
      url: 'https://Panel.example/Jobs/12',
      ip: '2001:DB8::1',
      message: 'An e-mail is on its way to you, No. 1.',
      delivery: 'email',
    };
    expect(readPasswordResult(data)).toEqual({ shown: data, secrets: [] });
  });
});

describe('whatever the payload', () => {
  test('no text and no number is shown under a name, in a place or beside a name that suggests a secret', () => {
    fc.assert(
      fc.property(payload, (data) => {
        for (const read of [readResultSecrets, readPasswordResult]) {
          expect(suspiciousIn(read(data).shown)).toEqual([]);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test('a planted secret is never shown', () => {
    const secret = 'S3cret-planted';
    const name = fc.constantFrom(
      'password',
      'rootPassword',
      'api_key',
      'FTP-Pwd',
      'token',
      'user_credentials',
    );
    const planted = fc.oneof(
      fc.tuple(name, payload).map(([field, other]) => ({ [field]: [other, secret] })),
      name.map((field) => [field, secret]),
      name.map((field) => ({ key: field, value: secret })),
      fc.constant(`sftp://root:${secret}@host`),
      name.map((field) => `your ${field}: ${secret}`),
    );
    fc.assert(
      fc.property(
        planted,
        payload,
        fc.array(fc.constantFrom('data', 'result', 'a'), { maxLength: 3 }),
        (inner, beside, path) => {
          const data = path.reduce<unknown>((value, field) => ({ [field]: value, beside }), inner);
          const { shown, secrets } = readResultSecrets(data);
          expect(JSON.stringify(shown)).not.toContain(secret);
          expect(secrets.some(({ value }) => value.includes(secret))).toBe(true);
          expect(everythingIn(shown)).not.toContain(secret);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

function suspiciousIn(value: unknown, isSecret = false): unknown[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([field, inner]) =>
      suspiciousIn(inner, isSecret || looksSecret(field) || isNamedSecret(field, value)),
    );
  }
  return isSecret && value !== '' && (typeof value === 'string' || typeof value === 'number') ? [value] : [];
}
