import fc from 'fast-check';
import { encodeTypedText } from 'slack-sandbox';
import { describe, expect, test } from 'vitest';
import { decodeSlackText } from '../../../../src/slack/listeners/invocation/decode-slack-text.ts';

const directory = {
  userByName: (name: string) => (name === 'bob' ? 'U0BOB' : undefined),
  channelByName: (name: string) => (name === 'ops' ? 'C0OPS' : undefined),
  groupByHandle: (handle: string) => (handle === 'admins' ? 'S0ADMINS' : undefined),
};

describe('text typed in Slack', () => {
  test.each([
    ['lb create &lt;x&gt; &amp;amp; y', 'lb create <x> &amp; y'],
    [
      'lb create <http://app.example.com|app.example.com> --health /up',
      'lb create app.example.com --health /up',
    ],
    ['show <https://example.com/a?b=1&amp;c=2>', 'show https://example.com/a?b=1&c=2'],
    ['mail <mailto:a@example.com|a@example.com>', 'mail a@example.com'],
    ['snapshot create VPS-10001 “before the upgrade”', 'snapshot create VPS-10001 "before the upgrade"'],
    ['list —public', 'list --public'],
    ['list –public', 'list --public'],
    ['a — b', 'a — b'],
    ['before—after 5′10″', 'before—after 5′10″'],
    ['grant <@U0BOB|bob> in <#C0OPS|ops>', 'grant @U0BOB in #C0OPS'],
    ['grant <!subteam^S0ADMINS|@admins>', 'grant S0ADMINS'],
    ['<!channel> <!here>', '@channel @here'],
    ['reboot\u00a0VPS-10001', 'reboot VPS-10001'],
    ['\u202Ereboot\u202C VPS-10001\u200B', 'reboot VPS-10001'],
  ])('"%s" reads as "%s"', (delivered, words) => {
    expect(decodeSlackText(delivered)).toBe(words);
  });

  test.each(['command', 'message'] as const)('is decoded from a %s as it was typed', (surface) => {
    const word = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.&<>=:/"\''), minLength: 1 }),
      fc.constantFrom('app.example.com', 'https://example.com/x?y=1', '--public', 'VPS-10001', '/healthz'),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
        const typed = words.join(' ').trim();
        fc.pre(!/[<>]\S*[|@#!]|--\s|--$|\S--|mailto:/.test(typed));
        expect(decodeSlackText(encodeTypedText(typed, directory, { surface, escape: true }))).toBe(typed);
      }),
      { numRuns: 500 },
    );
  });
});
