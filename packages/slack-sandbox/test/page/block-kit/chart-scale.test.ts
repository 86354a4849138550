import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScale, formatCompact } from '../../../src/page/client/block-kit/charts/scale.ts';

test('an axis covers zero and every value, with few and even steps', () => {
  // Smaller numbers have no representable step between them.
  const number = fc
    .double({ min: -1e12, max: 1e12, noNaN: true })
    .filter((n) => n === 0 || Math.abs(n) > 1e-300);
  const values = fc.array(number, { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(values, (some) => {
      const { ticks, min, max } = createScale(some);
      expect(min).toBeLessThanOrEqual(Math.min(0, ...some) * (1 - 1e-9));
      expect(max).toBeGreaterThanOrEqual(Math.max(0, ...some) * (1 - 1e-9));
      expect(ticks).toContain(0);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThan(9);
    }),
  );
});

test.each([
  [
    [0, 60, -4],
    [-20, 0, 20, 40, 60],
  ],
  [[3], [0, 1, 2, 3]],
  [[0], [0, 0.25]],
  [
    [0.3, 0.1],
    [0, 0.1, 0.2, 0.3],
  ],
])('%j have an axis of %j', (values, ticks) => {
  expect(createScale(values).ticks).toEqual(ticks);
});

test.each([
  [1234.5, '1,234.5'],
  [1_234_567, '1.23M'],
  [0.012345, '0.0123'],
  [-20, '-20'],
])('%d is written as %s', (value, text) => {
  expect(formatCompact(value)).toBe(text);
});
