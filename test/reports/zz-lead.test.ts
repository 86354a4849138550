import { test, vi } from 'vitest';
import { createReports } from '../../src/reports/reports.ts';
import { createReportStore } from '../../src/reports/schedule/report-store.ts';
import { createReportMemory } from '../../src/reports/memory-store.ts';
import { createHoursStore } from '../../src/reports/history/hours-store.ts';
import { reportContent } from '../../src/reports/content.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { createManualClock } from './schedule/manual-clock.ts';
const log = { warn: console.log, error: console.log, info: vi.fn(), debug: vi.fn() };
test('x', async () => {
  const { db } = await openDatabase('sqlite::memory:', { log } as never);
  const nowMs = Date.parse('2026-11-23T04:00Z');
  const clock = createManualClock(nowMs);
  const store = createReportStore(db), memory = createReportMemory(db), hours = createHoursStore(db);
  const vps = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`VPS-${10000 + i}`, { state: 'running', cpuPercent: 12, findings: [] }]));
  for (let i = 0; i < 200; i++) await hours.of('T').keep(`VPS-${10000 + i}`, { fromMs: nowMs - 8 * 86400000, untilMs: nowMs - 3600000, hours: { fromMs: 0, stepMs: 3600000, means: { cpu: Array(168).fill(1) } } } as never);
  for (let i = 0; i < 40; i++) {
    const r = await store.add({ teamId: 'T', userId: 'U' }, { name: `r${i}`, channel: 'C', recurrence: { every: 'day', at: '09:00', zone: 'UTC', quiet: [] }, content: reportContent.parse({ vps: '*', vpsCount: 200, settings: {} }) }, nowMs);
    await memory.keep(r!.id, { untilMs: nowMs, vps } as never);
  }
  const usage = async () => ({ waitMs: { background: 0 }, backgroundLimit: 40, holdMs: 60250 });
  const reports = createReports({ db, hostingFor: () => ({ usage }) as never, runs: { record: async () => undefined } as never, voice: {} as never, mutes: { untilOf: async () => new Map() }, clock, shared: false, log } as never);
  const t = performance.now();
  await reports.start();
  console.log('look ms', performance.now() - t);
  await reports.stop();
}, 100_000);
