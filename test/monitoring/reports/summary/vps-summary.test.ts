import { describe, expect, test } from 'vitest';
import type { VpsReadings } from '../../../../src/monitoring/reports/summary/vps-report.ts';
import { summarizeVps } from '../../../../src/monitoring/reports/summary/vps-summary.ts';
import {
  dayMs,
  dayOf,
  endMs,
  history,
  hourMs,
  period,
  repeated,
  scope,
  series,
  weekOf,
} from '../../shared/histories.ts';

const busyDay = dayOf('cpu', [...repeated(20, 18), ...repeated(93, 6)]);
const traffic = history(
  series('networkIn', hourMs, repeated(1024, 24)),
  series('networkOut', hourMs, repeated(1024, 24)),
);

function summarize(readings: Partial<VpsReadings>, last?: Parameters<typeof summarizeVps>[1]['last']) {
  const given = { name: 'VPS-10004', state: 'running', histories: [], ...readings };
  return summarizeVps(given, { ...scope(), last });
}

describe('the report of one VPS', () => {
  test('has the findings first, then every figure with its period', () => {
    const live = {
      cpuPercent: 94,
      memoryPercent: 40,
      diskPercent: 61,
      uptimeS: 90_000,
      unrecognized: [],
      record: {},
    };
    const { title, facts, notes, next, standsOut, chart } = summarize({
      live,
      histories: [busyDay, traffic],
    });
    expect(title).toBe('VPS-10004 needs a look: CPU 93% for 6 h');
    expect(facts).toEqual([
      { label: 'Period', value: '20 Nov 06:00 – 21 Nov 06:00, Europe/Berlin' },
      {
        label: 'Stands out',
        value: 'CPU at 90% or more since 00:00: 93% on average, peak 93%.',
      },
      { label: 'State', value: { kind: 'state', state: 'running' } },
      { label: 'CPU', value: '38% on average, peak 93% at 00:00, last 94%' },
      { label: 'Memory', value: '40%' },
      { label: 'Disk', value: '61%' },
      { label: 'Traffic', value: '169 MiB, 2 KiB/s on average, peak 2 KiB/s at 20 Nov 06:00' },
      { label: 'Uptime', value: { kind: 'duration', durationMs: 90_000_000 } },
    ]);
    expect(chart).toMatchObject({ takeaway: expect.stringContaining('CPU'), isCoveredByFacts: true });
    expect(notes).toEqual([]);
    expect(next.map(({ label }) => label)).toEqual(['Graph', 'Show', 'Mute for a Day', 'Live']);
    expect(standsOut).toBe(true);
  });

  test('draws the period from the finest history that covers it', () => {
    const { chart } = summarize({ histories: [weekOf('cpu', () => 10), busyDay] });
    const points = chart?.spec.panels.flatMap((panel) => panel.series.flatMap((one) => one.points)) ?? [];
    expect(points).toHaveLength(96);
    expect(points.every(({ timeMs }) => timeMs >= period.fromMs && timeMs <= period.untilMs)).toBe(true);
    expect(chart?.takeaway).toContain('CPU');
  });

  test('says plainly what could not be read, and that there is no data', () => {
    const unread = [{ what: 'history' as const, reason: 'The service failed' }];
    const lost = summarize({ state: undefined, readFailures: unread });
    expect(lost.title).toBe('VPS-10004 could not be read');
    expect(lost.notes).toEqual(['The history of VPS-10004 could not be read: The service failed.']);
    expect(lost.chart).toBeUndefined();
    const partly = summarize({ readFailures: unread });
    expect(partly.title).toBe('Nothing stands out about VPS-10004; it could not be read in full');
    expect(summarize({}).notes).toEqual([
      'The history of VPS-10004 could not be read: The service returned no figures.',
    ]);
    const live = { cpuPercent: 12, unrecognized: [], record: {} };
    expect(summarize({ live }).facts).toContainEqual({ label: 'CPU', value: '12%' });
    expect(summarize({ live }).title).toBe(
      'Nothing stands out about VPS-10004; memory, disk and traffic not shown',
    );
    expect(summarize({ live }).notes).toContain('The service has no data for VPS-10004 in this period.');
  });

  test('compares the VPS with the previous report', () => {
    const { baseline: told, hasChanged } = summarize({ histories: [dayOf('cpu', repeated(12, 24))] });
    expect(hasChanged).toBe(true);
    const last = { ...told, untilMs: endMs - dayMs };
    const now = summarize({ histories: [busyDay] }, last);
    expect(now.facts).toContainEqual({ label: 'Since last time', value: 'CPU 12 → 38%' });
    expect(now.hasChanged).toBe(true);
    expect(summarize({ histories: [dayOf('cpu', repeated(13, 24))] }, last).hasChanged).toBe(false);
  });
});
