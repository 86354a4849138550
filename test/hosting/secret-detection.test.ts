import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { containsSecret, isSecretFieldName, redactUrlPasswords } from '../../src/hosting/secret-detection.ts';

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
