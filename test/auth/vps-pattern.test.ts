import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundVpsSchema, describeBinding, vpsListSchema } from '../../src/auth/vps-pattern.ts';
import { matchesPattern } from '../../src/operations/choices/matching/matches-pattern.ts';

const boundListSchema = vpsListSchema(boundVpsSchema);

describe('a VPS pattern', () => {
  test('matches like a regular expression', () => {
    const part = fc.stringMatching(/^[ab*]{0,8}$/);
    fc.assert(
      fc.property(part, fc.stringMatching(/^[ab]{0,10}$/), (pattern, name) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
        expect(matchesPattern(pattern, name)).toBe(expression.test(name));
      }),
      { numRuns: 5_000 },
    );
  });

  test('with many stars takes no longer to match', () => {
    // A backtracking regular expression would take longer than the test may.
    const pattern = `VPS-${'*a'.repeat(40)}`;
    expect(matchesPattern(pattern, `VPS-${'a'.repeat(90)}b`)).toBe(false);
    expect(matchesPattern(pattern, `VPS-${'a'.repeat(90)}`)).toBe(true);
  });

  test.each([
    ['vps-10001', 'VPS-10001'],
    ['Vps-100*', 'VPS-100*'],
    ['VPS-**1', 'VPS-*1'],
    ['*', '*'],
    ['*-db', '*-db'],
  ])('%s is read as %s', (text, expected) => {
    expect(boundVpsSchema.parse(text)).toBe(expected);
  });

  test.each([
    '',
    'web-*',
    'web*01',
    '1000*',
    'VPS-',
    'VPS-1 VPS-2',
    'VPS-1;',
    'VPS-(a+)+',
    `VPS-${'a'.repeat(100)}`,
    '?',
  ])('"%s" is rejected', (text) => {
    expect(boundVpsSchema.safeParse(text).success).toBe(false);
  });

  test('includes another pattern only if it matches every name of the other', () => {
    const part = fc.stringMatching(/^[ab*]{0,6}$/);
    fc.assert(
      fc.property(part, part, fc.stringMatching(/^[ab]{0,8}$/), (wide, narrow, name) => {
        if (matchesPattern(wide, narrow) && matchesPattern(narrow, name))
          expect(matchesPattern(wide, name)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
    expect(matchesPattern('VPS-1*', 'VPS-10*')).toBe(true);
    expect(matchesPattern('VPS-10*', 'VPS-1*')).toBe(false);
  });
});

describe('a list of VPS patterns', () => {
  test('is separated by spaces or commas, without duplicates', () => {
    expect(boundListSchema.parse('vps-10001,VPS-10002, VPS-200* VPS-10001')).toBe(
      'VPS-10001 VPS-10002 VPS-200*',
    );
    expect(boundListSchema.parse('VPS-10001 *')).toBe('*');
    expect(boundListSchema.safeParse('VPS-10001, web-*').error?.issues[0]?.message).toContain('VPS-');
  });

  test('parses to a text that parses to itself, or is rejected', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('VPS-1', 'vps-2*', '*', ',', ' '))),
        (words) => {
          const read = boundListSchema.safeParse(words.join(' '));
          if (read.success) expect(boundListSchema.parse(read.data)).toBe(read.data);
        },
      ),
    );
  });
});

test.each([
  [['*'], []],
  [['VPS-10001', '*'], []],
  [[], []],
  [['VPS-10001'], [/stays with the VPS name/]],
  [['VPS-100*'], [/matches VPS names only/]],
  [
    ['VPS-10001', 'VPS-2*'],
    [/stays with the VPS name/, /matches VPS names only/],
  ],
])('what a right on %j is bound to is explained', (patterns, notes) => {
  expect(describeBinding(patterns)).toEqual(notes.map((note) => expect.stringMatching(note)));
});
