import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readGivenKey } from '../../src/workspaces/connection/given-key.ts';

const visible = fc.stringMatching(/^[\x21-\x7e]{1,200}$/).filter((text) => !/^(xox|xapp)/i.test(text));

describe('a key that is given', () => {
  test('passes as it is, but for what surrounds it', () => {
    fc.assert(
      fc.property(visible, fc.constantFrom('', ' ', '\n', '\t ', '\u00a0'), (apiKey, around) => {
        const read = readGivenKey({ apiKey: `${around}${apiKey}${around}`, limit: undefined });
        expect(read).toEqual({ ok: true, given: { apiKey, limit: 50 } });
      }),
    );
  });

  test('is refused with a sentence that says nothing of it', () => {
    fc.assert(
      fc.property(
        visible,
        fc.constantFrom(' ', '\n', 'ü', '“', '\u0000', '🔑'),
        visible,
        (before, odd, after) => {
          const read = readGivenKey({ apiKey: `${before}${odd}${after}`, limit: '50' });
          expect(read).toMatchObject({ ok: false, problems: { apiKey: expect.stringMatching(/\.$/) } });
          const said = Object.values(read.ok ? {} : read.problems).join();
          if (before.length > 9) expect(said).not.toContain(before);
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
  ])('that is %j is explained', (apiKey, words) => {
    const read = readGivenKey({ apiKey, limit: undefined });
    expect(read).toMatchObject({ ok: false, problems: { apiKey: expect.stringContaining(words) } });
  });
});

describe('its quota', () => {
  test.each([
    [undefined, 50],
    ['', 50],
    [' 1 ', 1],
    ['10000', 10_000],
  ])('written %j is %d', (limit, expected) => {
    expect(readGivenKey({ apiKey: 'a', limit })).toMatchObject({ ok: true, given: { limit: expected } });
  });

  test.each(['0', '-1', '1.5', '10001', 'many', '1e3', '٥'])('is not %j', (limit) => {
    expect(readGivenKey({ apiKey: 'a', limit })).toMatchObject({
      ok: false,
      problems: { limit: expect.stringContaining('whole number') },
    });
  });
});
