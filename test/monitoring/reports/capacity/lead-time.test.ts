import { describe, expect, test } from 'vitest';
import { leadTimeMs, type OccurrenceCost } from '../../../../src/monitoring/reports/capacity/lead-time.ts';
import { estimateReportMs } from '../../../../src/monitoring/shared/throughput.ts';

const pace = { backgroundLimit: 40, holdMs: 60_250 };
const minuteMs = 60_000;
const dueMs = Date.parse('2026-11-23T09:00Z');

const coming = (more: Partial<OccurrenceCost> = {}): OccurrenceCost => ({
  dueMs,
  calls: 301,
  readsKey: 'all',
  ...more,
});

describe('the lead time of a report', () => {
  test('covers its own calls if it is alone', () => {
    expect(leadTimeMs(coming(), [], pace, true)).toBe(estimateReportMs(301, pace));
    expect(estimateReportMs(301, pace)).toBeGreaterThan(8 * 60_250);
  });

  test('covers the calls of all reports that are collected at the same time', () => {
    const other = coming({ readsKey: 'others', dueMs: dueMs + 5 * minuteMs });
    for (const [own, beside] of [
      [coming(), other],
      [other, coming()],
    ] as const) {
      expect(leadTimeMs(own, [beside], pace, true)).toBe(estimateReportMs(602, pace));
    }
  });

  test('includes reports that start earlier only because of another one', () => {
    const big = coming({ readsKey: 'big', calls: 600 });
    const before = coming({ readsKey: 'before', dueMs: dueMs - 12 * minuteMs });
    expect(leadTimeMs(coming(), [before, big], pace, true)).toBe(estimateReportMs(1202, pace));
  });
});
