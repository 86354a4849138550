import { describe, expect, test } from 'vitest';
import { createMomentFormatter } from '../../../src/monitoring/shared/text-format.ts';

const endMs = Date.parse('2026-11-21T07:56:10Z');
const secondMs = 1_000;
const hourMs = 3_600_000;

describe('a range', () => {
  const { range } = createMomentFormatter('UTC', endMs);

  test('leaves out the day if it is obvious', () => {
    expect(range(endMs - 2 * hourMs, endMs)).toBe('from 05:56 to 07:56');
  });

  test('of almost a day does not look like an empty one', () => {
    expect(range(endMs - 24 * hourMs + 20 * secondMs, endMs)).toBe('from 20 Nov 07:56 to 21 Nov 07:56');
  });

  test('of the hour that clocks are set back has a length', () => {
    const twoThirty = Date.parse('2026-10-25T00:30:00Z');
    const berlin = createMomentFormatter('Europe/Berlin', twoThirty + 2 * hourMs);
    expect(berlin.range(twoThirty, twoThirty + hourMs)).toBe('for 1 h from 02:30');
  });

  test('without a length is a moment', () => {
    expect(range(endMs, endMs)).toBe('at 07:56');
  });
});
