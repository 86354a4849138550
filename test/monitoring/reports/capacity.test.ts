import { describe, expect, test } from 'vitest';
import { findCapacityProblem, leadTimeMs } from '../../../src/monitoring/reports/capacity.ts';
import { reportContent } from '../../../src/monitoring/reports/planning/report-plan.ts';
import type { Report } from '../../../src/monitoring/reports/report.ts';
import { estimateReportMs } from '../../../src/monitoring/shared/throughput.ts';
import type { When } from '../../../src/time/when.ts';

const pace = { backgroundLimit: 40, holdMs: 60_250 };
const minuteMs = 60_000;
const daily: When = { kind: 'day', at: '09:00', zone: 'UTC', quiet: [] };
const quarterly: When = { kind: 'cron', expression: '*/15 * * * *', zone: 'UTC', quiet: [] };

const plan = (timing: When, vpsCount: number) => ({
  timing,
  content: reportContent.parse({ vps: '*', vpsCount, settings: {} }),
});

const planned = (timing: When, vpsCount: number, kind: 'active' | 'paused' = 'active'): Report => ({
  id: 'one',
  teamId: 'T0ACME',
  name: 'One',
  channel: 'C0OPS',
  createdBy: 'U0ALICE',
  createdMs: 0,
  state: kind === 'active' ? { kind } : { kind, reason: 'person', byUserId: 'U0ALICE', sinceMs: 0 },
  lastFinishedDueMs: null,
  nextMs: 0,
  skippedMs: null,
  skippedBy: null,
  occurrence: null,
  version: 0,
  skippedSinceMs: null,
  ...plan(timing, vpsCount),
});

describe('the capacity for a report', () => {
  test('is enough for 200 VPS a day, which start 15 minutes early', () => {
    expect(findCapacityProblem(plan(daily, 200), [], pace)).toBeUndefined();
    expect(estimateReportMs(601, pace)).toBeGreaterThan(15 * minuteMs);
    expect(estimateReportMs(601, pace)).toBeLessThan(18 * minuteMs);
  });

  test('is exceeded by more calls than can be sent in time, and the problem has the figure', () => {
    expect(findCapacityProblem(plan(quarterly, 75), [], pace)).toBeUndefined();
    expect(findCapacityProblem(plan(quarterly, 250), [], pace)).toContain(
      'This report needs 751 API calls for 250 VPS, 50 a minute on average; the limit is 15 a minute.',
    );
  });

  test('includes the other active reports', () => {
    expect(findCapacityProblem(plan(quarterly, 50), [planned(quarterly, 75)], pace)).toContain(
      'on top of 15 for the other reports',
    );
    expect(
      findCapacityProblem(plan(quarterly, 50), [planned(quarterly, 75, 'paused')], pace),
    ).toBeUndefined();
  });
});

describe('the lead time of a report', () => {
  const dueMs = Date.parse('2026-11-23T09:00Z');
  const coming = (calls: number, atMs = dueMs) => ({ calls, dueMs: atMs });

  test('covers its own calls if it is alone', () => {
    expect(leadTimeMs(coming(301), [], pace)).toBe(estimateReportMs(301, pace));
    expect(estimateReportMs(301, pace)).toBeGreaterThan(8 * 60_250);
  });

  test('covers the calls of all reports that are collected at the same time', () => {
    const other = coming(301, dueMs + 5 * minuteMs);
    for (const [own, beside] of [
      [coming(301), other],
      [other, coming(301)],
    ] as const)
      expect(leadTimeMs(own, [beside], pace)).toBe(estimateReportMs(602, pace));
  });

  test('includes reports that start earlier only because of another one', () => {
    const others = [coming(301, dueMs - 12 * minuteMs), coming(600)];
    expect(leadTimeMs(coming(301), others, pace)).toBe(estimateReportMs(1202, pace));
  });
});
