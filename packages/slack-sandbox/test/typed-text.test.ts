import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeTypedText, type NameDirectory } from '../src/typed-text.ts';

const directory: NameDirectory = {
  userByName: (name) =>
    new Map([
      ['alice', 'U0ALICE'],
      ['b.ob', 'U0BOB'],
    ]).get(name),
  channelByName: (name) => new Map([['ops', 'C0OPS']]).get(name),
  groupByHandle: (name) => new Map([['sre-team', 'S0SRE']]).get(name),
};

const inMessage = (text: string) => encodeTypedText(text, directory, { surface: 'message', escape: false });
const inCommand = (text: string, isEscaped: boolean) =>
  encodeTypedText(text, directory, { surface: 'command', escape: isEscaped });

describe('a message is delivered', () => {
  test.each([
    ['with entities', 'a < b && c > d', 'a &lt; b &amp;&amp; c &gt; d'],
    [
      'with hostnames as links',
      'ping web.example.com now',
      'ping <http://web.example.com|web.example.com> now',
    ],
    ['without the dot after a host', 'see example.com.', 'see <http://example.com|example.com>.'],
    [
      'with port and path of a host',
      'example.io:8080/a?b=1&c',
      '<http://example.io:8080/a?b=1&amp;c|example.io:8080/a?b=1&amp;c>',
    ],
    ['with URLs in angles', '(https://example.com/a--b?c=1&d=2)', '(<https://example.com/a--b?c=1&amp;d=2>)'],
    ['with mail addresses as links', 'ask me@example.com!', 'ask <mailto:me@example.com|me@example.com>!'],
    [
      'with file names that are no hosts',
      'run main.ts and v1.2 on 10.0.0.1',
      'run main.ts and v1.2 on 10.0.0.1',
    ],
    ['with people by id', '@alice and @b.ob.', '<@U0ALICE> and <@U0BOB>.'],
    ['with channels by id', 'in #ops, not #nowhere', 'in <#C0OPS|ops>, not #nowhere'],
    ['with groups by id', '@sre-team', '<!subteam^S0SRE|@sre-team>'],
    ['with broadcasts', '@here @channel @everyone', '<!here> <!channel> <!everyone>'],
    ['with unknown names as typed', '@mallory', '@mallory'],
    ['with curly quotes', `say "it's 'up'"`, 'say “it’s ‘up’”'],
    ['with curly quotes after a flag', '--note="two words"', '—note=“two words”'],
    ['with long dashes', 'vps list --public', 'vps list —public'],
    ['with code as typed', '`"a" --b @alice example.com` "c"', '`"a" --b @alice example.com` “c”'],
    ['with fenced code as typed', '```\n"a" <b>\n```', '```\n"a" &lt;b&gt;\n```'],
    [
      "with Slack's own form escaped",
      '<!channel> <@U0ALICE> <#C0OPS|ops>',
      '&lt;!channel&gt; &lt;@U0ALICE&gt; &lt;#C0OPS|ops&gt;',
    ],
    [
      'with a typed link escaped around its URL',
      '<https://example.com|x>',
      '&lt;<https://example.com>|x&gt;',
    ],
  ])('%s', (_name, typed, delivered) => {
    expect(inMessage(typed)).toBe(delivered);
  });
});

describe("a command's text is delivered", () => {
  test('with names and URLs as typed, unless the manifest asks to escape them', () => {
    const typed = 'grant @alice #ops @sre-team @here example.com https://example.com';

    expect(inCommand(typed, false)).toBe(typed);
    expect(inCommand(typed, true)).toBe(
      'grant <@U0ALICE|alice> <#C0OPS|ops> <!subteam^S0SRE|@sre-team> <!here> <http://example.com|example.com> <https://example.com>',
    );
  });

  test.each([true, false])('with entities, curly quotes and long dashes if escape is %s', (isEscaped) => {
    expect(inCommand('note "a & b" --public <!here>', isEscaped)).toBe(
      'note “a &amp; b” —public &lt;!here&gt;',
    );
  });
});

const typing = fc.record({
  surface: fc.constantFrom<('command' | 'message')[]>('command', 'message'),
  escape: fc.boolean(),
});

const pieces = [
  '@alice',
  '@here',
  '#ops',
  '@sre-team',
  'example.com',
  'https://a.io/?b&c',
  '<',
  '>',
  '&',
  '|',
  '`',
  '"',
  "'",
  '--',
  ' ',
  '\n',
  '<!channel>',
  'é',
  'x',
];
const typedText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.constantFrom(...pieces)).map((some) => some.join('')),
);

/** Undoes the encoding as an app would: each `<…>` becomes its label, entities become characters. */
function decoded(text: string): string {
  return text
    .replaceAll(/<@(U\w+)>/g, (_, id) => (id === 'U0ALICE' ? '@alice' : '@b.ob'))
    .replaceAll(/<!(\w+)>/g, '@$1')
    .replaceAll(
      /<(@|#|!subteam\^|http:\/\/|mailto:)[^>|]*\|([^>]*)>/g,
      (_, kind, label) => (/^[@#]/.test(kind) ? kind : '') + label,
    )
    .replaceAll(/<([^>]*)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function straight(text: string): string {
  return text.replaceAll(/[“”]/g, '"').replaceAll(/[‘’]/g, "'").replaceAll('—', '--');
}

test('no text is lost: an app that decodes it gets what was typed', () => {
  fc.assert(
    fc.property(typedText, typing, (text, options) => {
      expect(straight(decoded(encodeTypedText(text, directory, options)))).toBe(straight(text));
    }),
    { numRuns: 2000 },
  );
});

test('angle brackets surround only resolved names, and ampersands only start entities', () => {
  fc.assert(
    fc.property(typedText, typing, (text, options) => {
      const rest = encodeTypedText(text, directory, options)
        .replaceAll(/<[@#!hm][^<>]*>/g, '')
        .replaceAll(/&(amp|lt|gt);/g, '');

      expect(rest).not.toMatch(/[<>&]/);
    }),
    { numRuns: 2000 },
  );
});

test('an app whose name has spaces and punctuation is mentioned', () => {
  const bot = 'Casey-OpenAI SDK (JavaScript)';
  const named = {
    ...directory,
    fullNames: () => [bot],
    userByName: (name: string) => (name === bot ? 'U0BOT' : undefined),
  };
  const encode = (text: string) => encodeTypedText(text, named, { surface: 'message', escape: false });
  expect(encode(`hi @${bot}, help`)).toBe('hi <@U0BOT>, help');
  expect(encode(`@${bot}2`)).not.toContain('<@');
  expect(encode('@sre-team')).toBe('<!subteam^S0SRE|@sre-team>');
});

test('nobody is mentioned without an @ before a known name', () => {
  fc.assert(
    fc.property(typedText, typing, (text, options) => {
      expect(encodeTypedText(text.replaceAll('@', ''), directory, options)).not.toMatch(/<[@!]/);
    }),
    { numRuns: 1000 },
  );
});
