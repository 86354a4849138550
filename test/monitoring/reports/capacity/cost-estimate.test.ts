import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../../src/db/engines/database.ts';
import { createCostEstimate } from '../../../../src/monitoring/reports/capacity/cost-estimate.ts';
import { reportContent } from '../../../../src/monitoring/reports/planning/report-content.ts';
import type { Report } from '../../../../src/monitoring/reports/report.ts';
import { createReportStore } from '../../../../src/monitoring/reports/report-store.ts';
import { createBaselineStore } from '../../../../src/monitoring/reports/summary/baseline-store.ts';
import { createHourlyHistoryStore } from '../../../../src/monitoring/shared/history/hourly-history-store.ts';

const dueMs = Date.parse('2026-11-23T09:00Z');
const timing = { kind: 'day', at: '09:00', zone: 'UTC', quiet: [] } as const;

let database: OpenDatabase;
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
});
afterEach(() => database.close());

test('the cost of a report is estimated about once a minute, and again after a change of its schedule', async () => {
  const store = createReportStore(database.db);
  const baselines = createBaselineStore(database.db);
  const clock = { nowMs: dueMs - 3_600_000 };
  const content = reportContent.parse({ vps: '*', vpsCount: 10, settings: {} });
  const plan = { name: 'Morning', channel: 'C0OPS', timing, content };
  const report = await store.add({ teamId: 'T0ACME', userId: 'U0ALICE' }, plan, clock.nowMs);
  if (!report) throw new Error('the name is taken');
  const find = vi.spyOn(baselines, 'find');
  const comingOf = createCostEstimate({
    baselines,
    hours: createHourlyHistoryStore(database.db),
    now: () => clock.nowMs,
  });
  const callsOf = async (one: Report) => (await comingOf(one, dueMs)).calls;

  expect(await Promise.all([report, report, report].map(callsOf))).toEqual([31, 31, 31]);
  expect(find).toHaveBeenCalledTimes(1);
  await baselines.save(report.id, { untilMs: dueMs, vps: { 'VPS-10001': { findings: [] } } });
  expect(await callsOf(report)).toBe(31);
  clock.nowMs += 60_000;
  expect(await callsOf(report)).toBe(4);
  expect(await callsOf({ ...report, revision: 1 })).toBe(4);
  expect(find).toHaveBeenCalledTimes(3);
});
