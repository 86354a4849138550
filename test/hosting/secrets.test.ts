import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { looksSecret, withoutUrlPasswords } from '../../src/hosting/secrets.ts';

/** Ways in which services write the name of a field. */
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

describe('a field is a secret', () => {
  test('where its name ends with a word for one, in one or many, however it is spelled', () => {
    fc.assert(
      fc.property(
        fc.array(before, { maxLength: 2 }),
        fc.constantFrom(...nouns),
        fc.constantFrom('', 's', '2', '_1'),
        fc.constantFrom(...spellings),
        (words, noun, ending, spell) => {
          expect(looksSecret(spell([...words, noun]) + ending)).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test.each([
    'passwordHash',
    'password_expires_at',
    'tokenvalue',
    'secretAccessKey',
    'Key ID',
    'ftpCreds',
    'root_pw',
    'ｐａｓｓｗｏｒｄ',
    'credentials.user',
    'pass_word',
    'X-API-Key',
  ])('where a word for one stands in it: %s', (field) => {
    expect(looksSecret(field)).toBe(true);
  });

  test.each([
    ...'vps_name hostname state status plan region os cores memory_mb ipv4 uptime created_at user host port'.split(
      ' ',
    ),
    ...'ip_range vlan_id bandwidth_quota_mbps sticky_mode redirect_https port_vps_ssh keyboard passive'.split(
      ' ',
    ),
    ...'compute-unit external_port target tokyo Bypassed pwr 0 _'.split(' '),
    '',
  ])('and not where none does: %j', (field) => {
    expect(looksSecret(field)).toBe(false);
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
  ])('loses its password and nothing else: %s', (text, shown) => {
    expect(withoutUrlPasswords(text)).toBe(shown);
  });
});
