import { combined, type Distort, withFields, withLists, withTexts, withValues } from './distortions.ts';

/** Value of all fields whose name says that they contain a secret. */
export const secret = 'Zq7!hush-4711';

const pings =
  '<!channel> <!here> <@U0BOB> <!subteam^S1|ops> <#C0OPS> <http://evil.example|VPS-10001> &lt;!channel&gt; @channel';
const markup = '*bold* _it_ ~struck~ `code` ```block``` > quote • :tada: [a](http://evil.example)';

/** Longer than any text that Slack accepts in a block. */
const longChars = 3_100;
const longText = (words: string) => `${words} `.repeat(longChars).slice(0, longChars);

const secretFields = {
  root_password: secret,
  'FTP-Passwd': secret,
  ftp_pw: secret,
  apiKey2: secret,
  sshKey: { private: secret, comment: secret },
  Ｐａｓｓｗｏｒｄ: secret,
  zugangsToken: [secret, [secret]],
  'db.credentials': { user: secret, deeper: { still: [{ deeper: secret }] } },
  pairs: [
    { name: 'root_password', value: secret },
    { key: 'api token', data: { text: secret } },
    ['client_secret', secret],
  ],
  mirror: `ftp://backup:${secret}@mirror.example/`,
  sentence: `The new root password is: ${secret}`,
  'old.pwd': Array.from({ length: 80 }, () => secret),
};

/** Hosting services that keep only the promises of the API document. */
export const hostileServices = {
  'long names': withTexts((field) => longText(`${field}-of-any-length`)),
  'names that would ping, with markup, and secrets in odd places': combined(
    withTexts((field) => `${pings} ${markup} ${field}\n> ${markup}`),
    withFields(secretFields),
  ),
  'names that turn text around, and others that nobody sees': withTexts((field) =>
    field.length % 2 === 0 ? `\u202E${field}\u0000\u200B\u2066\uD83D` : '\u200B\u200D\u2060 \u3164',
  ),
  'lists of 120': withLists(120),
  'nothing but null': withValues(() => null),
} as const satisfies Readonly<Record<string, Distort>>;
