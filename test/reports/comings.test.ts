import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createComings } from '../../src/reports/comings.ts';
import { reportContent } from '../../src/reports/content.ts';
import { createHoursStore } from '../../src/reports/history/hours-store.ts';
import { createReportMemory } from '../../src/reports/memory-store.ts';
import type { Report } from '../../src/reports/schedule/report.ts';
import { createReportStore } from '../../src/reports/schedule/report-store.ts';
import { type OpenDatabase, openDatabase } from '../../src/storage/database.ts';

const dueMs = Date.parse('2026-11-23T09:00Z');
const recurrence = { every: 'day', at: '09:00', zone: 'UTC', quiet: [] } as const;

let database: OpenDatabase;
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
});
afterEach(() => database.close());

test('what a report takes is found out about once a minute, and anew where it is planned anew', async () => {
  const store = createReportStore(database.db);
  const memory = createReportMemory(database.db);
  const clock = { nowMs: dueMs - 3_600_000 };
  const content = reportContent.parse({ vps: '*', vpsCount: 10, settings: {} });
  const plan = { name: 'Morning', channel: 'C0OPS', recurrence, content };
  const report = await store.add({ teamId: 'T0ACME', userId: 'U0ALICE' }, plan, clock.nowMs);
  if (!report) throw new Error('the name is taken');
  const find = vi.spyOn(memory, 'find');
  const comingOf = createComings({ memory, hours: createHoursStore(database.db), now: () => clock.nowMs });
  const callsOf = async (one: Report) => (await comingOf(one, dueMs)).calls;

  expect(await Promise.all([report, report, report].map(callsOf))).toEqual([31, 31, 31]);
  expect(find).toHaveBeenCalledTimes(1);
  await memory.keep(report.id, { untilMs: dueMs, vps: { 'VPS-10001': { findings: [] } } });
  expect(await callsOf(report)).toBe(31);
  clock.nowMs += 60_000;
  expect(await callsOf(report)).toBe(4);
  expect(await callsOf({ ...report, revision: 1 })).toBe(4);
  expect(find).toHaveBeenCalledTimes(3);
});
