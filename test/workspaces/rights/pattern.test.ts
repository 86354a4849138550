import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fits, vpsPattern } from '../../../src/workspaces/rights/pattern.ts';

describe('a pattern', () => {
  test.each([
    ['VPS-10001', 'VPS-10001', true],
    ['VPS-10001', 'VPS-100011', false],
    ['VPS-100*', 'VPS-10001', true],
    ['VPS-100*', 'VPS-100', true],
    ['VPS-100*', 'VPS-20001', false],
    ['VPS-*-db', 'VPS-eu-db', true],
    ['VPS-*-db', 'VPS-db', false],
    ['VPS-a*a', 'VPS-a', false],
    ['VPS-web', 'VPS-WEB', false],
    ['*', 'VPS-10001', true],
  ])('%s fits %s: %s', (pattern, name, expected) => {
    expect(fits(pattern, name)).toBe(expected);
  });

  test('fits as a regular expression would', () => {
    const part = fc.stringMatching(/^[ab*]{0,8}$/);
    fc.assert(
      fc.property(part, fc.stringMatching(/^[ab]{0,10}$/), (pattern, name) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
        expect(fits(pattern, name)).toBe(expression.test(name));
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([
    ['vps-10001', 'VPS-10001'],
    ['Vps-100*', 'VPS-100*'],
    ['VPS-**1', 'VPS-*1'],
    ['*', '*'],
    ['*-db', '*-db'],
  ])('%s is taken as %s', (text, expected) => {
    expect(vpsPattern.parse(text)).toBe(expected);
  });

  test.each(['', 'web-1', 'VPS-', 'VPS-1 VPS-2', 'VPS-1;', 'VPS-(a+)+', `VPS-${'a'.repeat(100)}`, '?'])(
    '"%s" is none',
    (text) => {
      expect(vpsPattern.safeParse(text).success).toBe(false);
    },
  );

  test('fits another where every name does that fits the other', () => {
    const part = fc.stringMatching(/^[ab*]{0,6}$/);
    fc.assert(
      fc.property(part, part, fc.stringMatching(/^[ab]{0,8}$/), (wide, narrow, name) => {
        if (fits(wide, narrow) && fits(narrow, name)) expect(fits(wide, name)).toBe(true);
      }),
      { numRuns: 20_000 },
    );
    expect(fits('VPS-1*', 'VPS-10*')).toBe(true);
    expect(fits('VPS-10*', 'VPS-1*')).toBe(false);
  });
});
