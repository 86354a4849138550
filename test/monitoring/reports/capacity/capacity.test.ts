import { describe, expect, test } from 'vitest';
import { assertCapacity } from '../../../../src/monitoring/reports/capacity/capacity.ts';
import { reportContent } from '../../../../src/monitoring/reports/planning/report-content.ts';
import type { Report } from '../../../../src/monitoring/reports/report.ts';
import { estimateReportMs } from '../../../../src/monitoring/shared/throughput.ts';
import type { When } from '../../../../src/time/when.ts';

const pace = { backgroundLimit: 40, holdMs: 60_250 };
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
    expect(() => assertCapacity(plan(daily, 200), [], pace)).not.toThrow();
    expect(estimateReportMs(601, pace)).toBeGreaterThan(15 * 60_000);
    expect(estimateReportMs(601, pace)).toBeLessThan(18 * 60_000);
  });

  test('is exceeded by more calls than can be sent in time, and the error has the figure', () => {
    expect(() => assertCapacity(plan(quarterly, 170), [], pace)).not.toThrow();
    expect(() => assertCapacity(plan(quarterly, 250), [], pace)).toThrow(
      'This report needs 751 API calls for 250 VPS, 50 a minute on average; the limit is 35 a minute.',
    );
  });

  test('includes the other scheduled reports', () => {
    const others = [planned(quarterly, 150)];
    expect(() => assertCapacity(plan(quarterly, 100), others, pace)).toThrow(
      'beside 30 for the other reports',
    );
    expect(() =>
      assertCapacity(plan(quarterly, 100), [planned(quarterly, 150, 'paused')], pace),
    ).not.toThrow();
  });

  test('is exceeded by a report that takes longer than its maximum lead time', () => {
    expect(() => assertCapacity(plan(daily, 5_000), [], pace)).toThrow('which take 7 hours at 39 a minute');
  });
});
