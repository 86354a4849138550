import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatBytes,
  formatDuration,
  formatNumber,
  formatPercent,
  formatQuantity,
  formatRate,
} from '../../../src/charts/format/format-quantity.ts';

describe('formatted quantities', () => {
  test.each([
    [0, '0%'],
    [0.01, '< 0.1%'],
    [0.42, '0.4%'],
    [3, '3%'],
    [9.96, '10%'],
    [12.4, '12%'],
    [99.6, '100%'],
    [380, '380%'],
  ])('write %d percent as %s', (value, text) => expect(formatPercent(value)).toBe(text));

  test.each([
    [0, '0 B'],
    [-0, '0 B'],
    [512, '512 B'],
    [1023.6, '1 KiB'],
    [1536, '1.5 KiB'],
    [12.34 * 2 ** 20, '12.3 MiB'],
    [512 * 2 ** 20, '512 MiB'],
    [1023.9 * 2 ** 20, '1 GiB'],
    [-2 * 2 ** 40, '-2 TiB'],
  ])('write %d bytes as %s', (value, text) => {
    expect(formatBytes(value)).toBe(text);
    expect(formatRate(value)).toBe(`${text}/s`);
  });

  test.each([
    [0, '0'],
    [0.42, '0.42'],
    [1234.5, '1,230'],
    [12_345, '12.3K'],
    [4.2e9, '4.2 bn'],
    [1e-9, '1.0e-9'],
    [1e30, '1.0e+30'],
  ])('write the number %d as %s', (value, text) => expect(formatNumber(value)).toBe(text));

  test.each([
    [0, '0 s'],
    [400, '0 s'],
    [45_000, '45 s'],
    [300_000, '5 min'],
    [3_661_000, '1 h 1 min'],
    [86_400_000 * 2 + 3 * 3_600_000, '2 d 3 h'],
    [86_400_000 + 60_000, '1 d'],
  ])('write %d ms as %s', (value, text) => expect(formatDuration(value)).toBe(text));

  test('say "no value" for non-finite numbers and are short for all others', () => {
    const units = fc.constantFrom('percent', 'bytes', 'bytesPerSecond', 'number');
    for (const format of [formatPercent, formatBytes, formatRate, formatNumber, formatDuration]) {
      for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) expect(format(value)).toBe('no value');
    }
    fc.assert(
      fc.property(units, fc.double(), (unit, value) => {
        const text = formatQuantity(value, unit);
        expect(text).not.toMatch(/NaN|Infinity|undefined|^-0(?![.\d])/);
        expect(text.length).toBeLessThanOrEqual(15);
      }),
    );
  });
});
