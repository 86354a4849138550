import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  containsSecret,
  isNamedSecretValue,
  isSecretFieldName,
  redactUrlPasswords,
} from '../../src/hosting/secret-detection.ts';
import { redactOneTimeResult, redactResult } from '../../src/hosting/secret-redaction.ts';
import { collectValues, profilePayload } from '../arbitraries/profile-payload.ts';

describe('a secret in a result', () => {
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
    [
      'in a pair of key and value',
      [{ key: 'password', value: 'hunter2' }],
      { others: [{ key: 'password' }] },
    ],
    [
      'in a pair in another language',
      [{ name: 'Passwort', wert: 'hunter2' }],
      { others: [{ name: 'Passwort' }] },
    ],
    ['in a sentence in another language', { message: 'Das neue Passwort lautet hunter2' }, {}],
    ['in a line in another script', { output: ['パスワード：hunter2', 'ok'] }, { output: ['ok'] }],
    ['in a link to a console', { console_url: 'https://vnc.example/?t=hunter2' }, {}],
    ['in the path of a link to a console', { kvm: 'https://vnc.example/c/hunter2hunter2hunter2' }, {}],
    ['in a parameter of a parameter', { url: 'https://vnc.example/?path=%3Ftoken%3Dhunter2' }, {}],
    ['as a private key', { file: '-----BEGIN OPENSSH PRIVATE KEY-----\nhunter2' }, {}],
    ['as a web token', { note: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJodW50ZXIyIn0.hunter2' }, {}],
    ['in the user part of a URL', { url: 'ftp://root:hunter2@host/' }, { url: 'ftp://root:…@host/' }],
  ])('%s', (_, data, shown) => {
    const reading = redactResult(data);
    expect(reading.redacted).toEqual(shown);
    expect(reading.secrets.some(({ value }) => value.includes('hunter2') || value === '12345')).toBe(true);
  });

  test.each<[string, unknown, unknown]>([
    ['in a command', { password: 'tulip-9', mount_example: 'curlftpfs b1:tulip-9@host' }, {}],
    ['beside its user', { credentials: 'b1:tulip-9', hint: 'log in with tulip-9' }, {}],
    ['in a list of another part', { a: { root_pw: 'tulip-9' }, b: ['x', 'y tulip-9'] }, { a: {}, b: ['x'] }],
    ['as a number', { pin_code: 483_920, call: 483_920, size: 4_839_201 }, { size: 4_839_201 }],
    ['in a sentence', { message: 'The password is tulip-9.', command: 'login tulip-9' }, {}],
    ['encoded in a link', { password: 'tulip/9', url: '/login/tulip%2F9' }, {}],
    ['encoded in Base64', { password: 'tulip-9', header: 'Basic YjE6dHVsaXAtOQ==' }, {}],
    [
      'as the name of a field',
      { password: 'tulip-9', users: { 'tulip-9': { role: 'x' }, y: 1 } },
      { users: { y: 1 } },
    ],
    [
      'in the link of a console',
      { console: { type: 'novnc', url: 'https://x.example/?ticket=abc1' } },
      { console: { type: 'novnc' } },
    ],
    ['in any link with a ticket', { links: [{ href: '/open?vm=1&ticket=abc1' }] }, { links: [{}] }],
    ['in a signed link', { download: 'see https://x.example/a?expires=1&sig=aBcD' }, {}],
    ['in a ticket of a group', { vnc: { ticket: 'tulip', port: 5900 } }, { vnc: { port: 5900 } }],
  ])('is found again %s', (_, data, shown) => {
    expect(redactResult(data).redacted).toEqual(shown);
  });

  test('is returned with its path', () => {
    expect(redactResult({ result: [{ api_key: 'k', note: 'n' }] }).secrets).toEqual([
      { path: ['result', '1', 'api_key'], value: 'k' },
    ]);
  });

  test('is not confused with text about secrets', () => {
    const data = {
      password_reset: true,
      password: null,
      tokens: [],
      keyboard: 'a key',
      message: 'The new password is sent by e-mail.',
      status: 'keyed',
      has_password: true,
      token_expires_at: '2026-11-22',
      settings: [
        { key: 'region', value: 'fra' },
        { key: 'monkey', value: 'banana' },
      ],
      ssh_keys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE8 alice@acme'],
      console_url: 'https://panel.example/console',
      header: ['Key', 'Value'],
    };
    expect(redactResult(data)).toEqual({ redacted: data, secrets: [] });
  });
});

describe('the result of a password reset', () => {
  const read = (data: unknown) => redactOneTimeResult(data, ['VPS-10001', 'debian-13', 'api']);

  test.each([
    ['VPS-10001', 'vps_name'],
    ['api', 'delivery'],
    ['debian-13', 'os'],
    ['Ubuntu 24.04 LTS', 'os'],
    ['in_progress', 'status'],
    ['Password reset successfully.', 'message'],
    ['The new password was sent to you by e-mail', 'message'],
    ['2026-11-21T10:00:00+00:00', 'expires_at'],
    [1_795_240_800, 'created'],
    [4711, 'task_id'],
    ['550e8400-e29b-41d4-a716-446655440000', 'job_uuid'],
    ['ops@acme.example', 'sent_to'],
    [true, 'password_reset'],
  ])('shows %j as %s', (value, field) => {
    expect(read({ [field]: value, result: { [field]: value } })).toEqual({
      redacted: { [field]: value, result: { [field]: value } },
      secrets: [],
    });
  });

  test.each([
    ['9f8e7d6c5b4a3928', 'new_root'],
    ['9f8e7d6c5b4a3928', 'status'],
    ['correct horse battery staple', 'message'],
    ['tulip', 'delivery'],
    ['VPS-9f8e7d6c', 'vps_name'],
    ['9f8e7d6c5b4a3928', 'task_id'],
    ['550e8400-e29b-41d4-a716-446655440000', 'note'],
    ['4839-2017', 'state'],
    [48_392_017, 'created_at'],
    [true, '9f8e7d6c5b4a3928'],
    ['root', 'tulip-harbor-canyon'],
    ['Your VPS is ready. Use tulip42harbor from now on', 'message'],
    ['<b>root</b> tulip42harbor', 'html'],
    ['neues wort', 'neues_kennwort'],
  ])('hides %j as %s', (value, field) => {
    const { redacted, secrets } = read({ result: [{ [field]: value }] });
    expect(redacted).toEqual({ result: [{}] });
    expect(secrets.map(({ value }) => value).join()).toContain(String(value));
  });
});

test.each<[string, unknown]>([
  ['thirteen levels deep', Array.from({ length: 13 }).reduce((inner) => ({ a: inner }), 'tulip42harbor')],
  ['as the value of a pair', { fields: [{ name: 'New root', value: 'tulip42harbor' }] }],
  ['beside a user', { access: ['root', 'tulip42harbor'] }],
])('a new password is hidden %s', (_, data) => {
  const { redacted, secrets } = redactOneTimeResult(data, []);
  expect(JSON.stringify(redacted)).not.toContain('tulip42harbor');
  expect(secrets.map(({ value }) => value).join()).toContain('tulip42harbor');
});

describe('in any payload', () => {
  test('no text or number is shown under or beside a name that suggests a secret', () => {
    fc.assert(
      fc.property(profilePayload, (data) => {
        for (const read of [redactResult, (payload: unknown) => redactOneTimeResult(payload, [])]) {
          expect(listSuspiciousValues(read(data).redacted)).toEqual([]);
        }
      }),
      { numRuns: 1_000 },
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
      fc.tuple(name, profilePayload).map(([field, other]) => ({ [field]: [other, secret] })),
      name.map((field) => [field, secret]),
      name.map((field) => ({ key: field, value: secret })),
      fc.constant(`sftp://root:${secret}@host`),
      name.map((field) => `your ${field}: ${secret}`),
    );
    fc.assert(
      fc.property(
        planted,
        profilePayload,
        fc.array(fc.constantFrom('data', 'result', 'a'), { maxLength: 3 }),
        (inner, beside, path) => {
          const data = path.reduce<unknown>((value, field) => ({ [field]: value, beside }), inner);
          const { redacted, secrets } = redactResult(data);
          expect(JSON.stringify(redacted)).not.toContain(secret);
          expect(secrets.some(({ value }) => value.includes(secret))).toBe(true);
          expect(collectValues(redacted)).not.toContain(secret);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

function listSuspiciousValues(value: unknown, isSecret = false): unknown[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([field, inner]) => {
      // The name in a pair is shown, and is the only text when its value was removed.
      if (field === 'key' && typeof inner === 'string') return [];
      const isSecretHere = isSecretFieldName(field) || isNamedSecretValue(field, value);
      return listSuspiciousValues(inner, isSecret || isSecretHere);
    });
  }
  return isSecret && value !== '' && (typeof value === 'string' || typeof value === 'number') ? [value] : [];
}

/** Spellings of field names. */
const spellings: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join('_'),
  (words) => words.join('-'),
  (words) => words.join('.'),
  (words) => words.join(' '),
  (words) => words.join(''),
  (words) => words.join('_').toUpperCase(),
  (words) => words.map(capital).join(''),
  (words) => words.map((word, index) => (index === 0 ? word : capital(word))).join(''),
  (words) => words.map((word) => (word.length <= 3 ? word.toUpperCase() : capital(word))).join(''),
];

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const nouns = 'password passwd pwd pass passphrase secret token key credential'.split(' ');
const before = fc.constantFrom('root', 'ftp', 'api', 'ssh', 'db', 'user', 'access', 'private', 'new', 'x');

describe('a field name', () => {
  test('is secret if it ends with a secret word, singular or plural, in any spelling', () => {
    fc.assert(
      fc.property(
        fc.array(before, { maxLength: 2 }),
        fc.constantFrom(...nouns),
        fc.constantFrom('', 's', '2', '_1'),
        fc.constantFrom(...spellings),
        (words, noun, ending, spell) => {
          expect(isSecretFieldName(spell([...words, noun]) + ending)).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test.each([
    'passwordHash',
    'tokenvalue',
    'secretAccessKey',
    'ftpCreds',
    'root_pw',
    'ｐａｓｓｗｏｒｄ',
    'credentials.user',
    'pass_word',
    'X-API-Key',
    ...'pass pwd rootpw rootpass vncpass private_key ssh_private_key api_key auth_token otp totp_secret'.split(
      ' ',
    ),
    ...'passphrase adminPass consolePassword cipassword license_key passkey stripekey token_value'.split(' '),
    ...'support_pin secret_id recovery_codes auth_code pinCode vnc_ticket wg_psk jwt'.split(' '),
    ...'Passwort rootPasswort Kennwort api_schlüssel privater_schluessel mot_de_passe motDePasse MDP'.split(
      ' ',
    ),
    ...'clé contraseña contrasena clave senha heslo hasło haslo lösenord wachtwoord adgangskode parola'.split(
      ' ',
    ),
    ...'пароль пароль_root ключ 密码 root密码 パスワード 暗証番号 비밀번호 şifre'.split(' '),
  ])('is secret with a secret word inside: %s', (field) => {
    expect(isSecretFieldName(field)).toBe(true);
  });

  test.each([
    ...'vps_name hostname state status plan region os cores memory_mb ipv4 uptime created_at user host port'.split(
      ' ',
    ),
    ...'ip_range vlan_id bandwidth_quota_mbps sticky_mode redirect_https port_vps_ssh keyboard passive'.split(
      ' ',
    ),
    ...'compute-unit external_port target tokyo Bypassed pwr 0 _'.split(' '),
    ...'public_key ssh_pub_key publicKeys key_id access_key_id token_id keyboard monkey turkey_days'.split(
      ' ',
    ),
    ...'token_expires_at password_expires_at has_password requires_token password_set tokens_used'.split(' '),
    ...'max_tokens bypass compass trespass secretary footprint primary_key cacheKey key_name token_type'.split(
      ' ',
    ),
    ...'key_fingerprint password_policy password_length öffentlicher_schlüssel passwort_geändert_am sacred'.split(
      ' ',
    ),
    '',
  ])('is not secret without a secret word: %j', (field) => {
    expect(isSecretFieldName(field)).toBe(false);
  });
});

describe('a URL', () => {
  test.each([
    ['ftp://user:pa:ss@host:21/backup', 'ftp://user:…@host:21/backup'],
    ['see https://:token@host and sftp://u:p@ss@h', 'see https://:…@host and sftp://u:…@h'],
    ['https://host:8443/a:b@c', 'https://host:8443/a:b@c'],
    ['ftp://user@host', 'ftp://user@host'],
    ['ops@example.com', 'ops@example.com'],
    ['12:30', '12:30'],
  ])('loses only its password: %s', (text, shown) => {
    expect(redactUrlPasswords(text)).toBe(shown);
  });
});

describe('a command', () => {
  test.each([
    'lftp -u vps1,hT5-xxQ2lm backup.example',
    'curl -u vps1:hT5-xxQ2lm ftp://backup.example/',
    "curl --user='vps1:hT5-xxQ2lm' ftp://backup.example/",
    'smbclient //backup.example/vps1 -U vps1%hT5-xxQ2lm',
    'sshpass -p hT5-xxQ2lm ssh root@192.0.2.10',
    'ncftp -u vps1 -p hT5-xxQ2lm backup.example',
    'mysqldump -u root -phT5-xxQ2lm',
    'vps1:hT5-xxQ2lm@backup.example:21',
  ])('with a password is secret: %s', (text) => {
    expect(containsSecret(text)).toBe(true);
  });

  test.each([
    'ssh -p 40001 root@proxy.example',
    'curl -u vps1 ftp://backup.example/',
    'docker run -u 1000:1000 debian',
    'scp backup.tar root@192.0.2.10:/srv',
    'mailto:ops@example.com',
    'lftp -p 2121 backup.example',
  ])('without a password is not secret: %s', (text) => {
    expect(containsSecret(text)).toBe(false);
  });
});
