import { describe, expect, test } from 'vitest';
import { type Coming, leadMs } from '../../src/reports/lead.ts';
import { collectingMs } from '../../src/reports/pace.ts';

const pace = { backgroundLimit: 40, holdMs: 60_250 };
const minuteMs = 60_000;
const dueMs = Date.parse('2026-11-23T09:00Z');

const coming = (more: Partial<Coming> = {}): Coming => ({ dueMs, calls: 301, reads: 'all', ...more });

describe('the lead of a report', () => {
  test('is what its calls need, alone', () => {
    expect(leadMs(coming(), [], pace, true)).toBe(collectingMs(301, pace));
    expect(collectingMs(301, pace)).toBeGreaterThan(8 * 60_250);
  });

  test('is as long as the calls of all need that are collected meanwhile', () => {
    const other = coming({ reads: 'others', dueMs: dueMs + 5 * minuteMs });
    for (const [own, beside] of [
      [coming(), other],
      [other, coming()],
    ] as const) {
      expect(leadMs(own, [beside], pace, true)).toBe(collectingMs(602, pace));
    }
  });

  test('does not count what is over before, or begins after', () => {
    const others = [-20, 20].map((minutes) => coming({ reads: 'others', dueMs: dueMs + minutes * minuteMs }));
    expect(leadMs(coming(), others, pace, true)).toBe(collectingMs(301, pace));
  });

  test('counts once what is read once', () => {
    const others = [coming(), coming({ dueMs: dueMs + minuteMs })];
    expect(leadMs(coming(), others, pace, true)).toBe(collectingMs(301, pace));
    expect(leadMs(coming(), others, pace, false)).toBe(collectingMs(903, pace));
    const twice = others.map((other) => ({ ...other, reads: 'others' }));
    expect(leadMs(coming(), twice, pace, true)).toBe(collectingMs(602, pace));
  });

  test('reaches back to what is collected only because another makes it begin earlier', () => {
    const big = coming({ reads: 'big', calls: 600 });
    const before = coming({ reads: 'before', dueMs: dueMs - 12 * minuteMs });
    expect(leadMs(coming(), [before, big], pace, true)).toBe(collectingMs(1202, pace));
  });
});
