import { describe, expect, test } from 'vitest';
import { reportContent } from '../../src/reports/content.ts';
import { collectingMs } from '../../src/reports/pace.ts';
import { requireRoom } from '../../src/reports/room.ts';
import type { Recurrence } from '../../src/reports/schedule/recurrence.ts';
import type { Report } from '../../src/reports/schedule/report.ts';

const pace = { backgroundLimit: 40, holdMs: 60_250 };
const daily: Recurrence = { every: 'day', at: '09:00', zone: 'UTC', quiet: [] };
const quarterly: Recurrence = { every: 'cron', expression: '*/15 * * * *', zone: 'UTC', quiet: [] };

const plan = (recurrence: Recurrence, vpsCount: number) => ({
  recurrence,
  content: reportContent.parse({ vps: '*', vpsCount, settings: {} }),
});

const planned = (recurrence: Recurrence, vpsCount: number, kind: 'active' | 'paused' = 'active'): Report => ({
  id: 'one',
  teamId: 'T0ACME',
  name: 'One',
  channel: 'C0OPS',
  madeBy: 'U0ALICE',
  madeMs: 0,
  state:
    kind === 'active' ? { kind, nextMs: 0 } : { kind, reason: 'person', byUserId: 'U0ALICE', sinceMs: 0 },
  endedDueMs: null,
  revision: 0,
  skippedSinceMs: null,
  ...plan(recurrence, vpsCount),
});

describe('the room for a report', () => {
  test('is there for 200 VPS a day, which begin a quarter of an hour early', () => {
    expect(() => requireRoom(plan(daily, 200), [], pace)).not.toThrow();
    expect(collectingMs(601, pace)).toBeGreaterThan(15 * 60_000);
    expect(collectingMs(601, pace)).toBeLessThan(18 * 60_000);
  });

  test('is not there for more calls than may leave meanwhile, with the figure', () => {
    expect(() => requireRoom(plan(quarterly, 170), [], pace)).not.toThrow();
    expect(() => requireRoom(plan(quarterly, 250), [], pace)).toThrow(
      'This report needs 751 calls of the API for 250 VPS, 50 a minute as often as it comes: reports may make 35 a minute.',
    );
  });

  test('counts the other reports that come', () => {
    const others = [planned(quarterly, 150)];
    expect(() => requireRoom(plan(quarterly, 100), others, pace)).toThrow('beside 30 for the other reports');
    expect(() => requireRoom(plan(quarterly, 100), [planned(quarterly, 150, 'paused')], pace)).not.toThrow();
  });

  test('is not there for what takes longer than a report may begin early', () => {
    expect(() => requireRoom(plan(daily, 5_000), [], pace)).toThrow('which take 7 hours at 39 a minute');
  });
});
