import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseApiKeyInput } from '../../../src/workspaces/api-key/api-key-input.ts';

const visible = fc.stringMatching(/^[\x21-\x7e]{1,200}$/).filter((text) => !/^(xox|xapp)/i.test(text));

describe('an entered API key', () => {
  test('is accepted unchanged, apart from surrounding whitespace', () => {
    fc.assert(
      fc.property(visible, fc.constantFrom('', ' ', '\n', '\t ', '\u00a0'), (apiKey, whitespace) => {
        const parsed = parseApiKeyInput({ apiKey: `${whitespace}${apiKey}${whitespace}`, limit: undefined });
        expect(parsed).toEqual({ kind: 'valid', input: { apiKey, limit: 50 } });
      }),
    );
  });

  test('is rejected with a sentence that does not contain it', () => {
    fc.assert(
      fc.property(
        visible,
        fc.constantFrom(' ', '\n', 'ü', '“', '\u0000', '🔑'),
        visible,
        (before, odd, after) => {
          const parsed = parseApiKeyInput({ apiKey: `${before}${odd}${after}`, limit: '50' });
          expect(parsed).toMatchObject({
            kind: 'invalid',
            problems: { apiKey: expect.stringMatching(/\.$/) },
          });
          const messages = Object.values(parsed.kind === 'valid' ? {} : parsed.problems).join();
          if (before.length > 9) expect(messages).not.toContain(before);
        },
      ),
    );
  });

  test.each([
    [undefined, 'Paste'],
    ['', 'Paste'],
    ['   ', 'Paste'],
    ['a b', 'no spaces'],
    ['Bearer abc', 'word Bearer'],
    ['xoxb-1', 'Slack'],
    ['xapp-1', 'Slack'],
    ['a'.repeat(1_001), 'at most 1000'],
  ])('%j is rejected with a reason', (apiKey, words) => {
    const parsed = parseApiKeyInput({ apiKey, limit: undefined });
    expect(parsed).toMatchObject({ kind: 'invalid', problems: { apiKey: expect.stringContaining(words) } });
  });
});

describe('the quota of an entered key', () => {
  test.each([
    [undefined, 50],
    ['', 50],
    [' 1 ', 1],
    ['10000', 10_000],
  ])('%j means %d', (limit, expected) => {
    expect(parseApiKeyInput({ apiKey: 'a', limit })).toMatchObject({
      kind: 'valid',
      input: { limit: expected },
    });
  });

  test.each(['0', '-1', '1.5', '10001', 'many', '1e3', '٥'])('%j is rejected', (limit) => {
    expect(parseApiKeyInput({ apiKey: 'a', limit })).toMatchObject({
      kind: 'invalid',
      problems: { limit: expect.stringContaining('whole number') },
    });
  });
});
