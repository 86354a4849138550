import { describe, expect, test } from 'vitest';
import { type ReportBaseline, reportBaseline } from '../../../../src/monitoring/reports/summary/baseline.ts';
import { shouldPost } from '../../../../src/monitoring/reports/summary/fleet/fleet-summary.ts';
import { buildVpsReport, type VpsReport } from '../../../../src/monitoring/reports/summary/vps-report.ts';
import { dayMs, dayOf, endMs, repeated, scope } from '../../shared/histories.ts';
import {
  busy,
  calm,
  full,
  lost,
  otherFigures,
  report,
  stopped,
  summarize,
  withCpu,
} from './fleet-reports.ts';

describe('a VPS in maintenance', () => {
  const inMaintenance = new Map([['VPS-1', endMs + dayMs]]);

  test('is left out, and the report says so', () => {
    const { title, notes, standsOut } = summarize([busy('VPS-1'), calm('VPS-2')], { inMaintenance });
    expect(title).toBe('Nothing stands out among 2 VPS; 1 in maintenance');
    expect(notes).toContain('In maintenance: VPS-1 until 22 Nov 06:00.');
    expect(standsOut).toBe(false);
  });

  test('that was wrong before is not news during maintenance or afterwards', () => {
    const before = summarize([busy('VPS-1')]).baseline;
    const during = summarize([calm('VPS-1')], { last: before, inMaintenance });
    expect(during.hasChanged).toBe(false);
    expect(summarize([busy('VPS-1')], { last: during.baseline }).hasChanged).toBe(false);
  });
});

describe('the previous report', () => {
  const yesterday = (reports: readonly VpsReport[]): ReportBaseline => {
    const { baseline: told } = summarize(reports);
    return reportBaseline.parse(JSON.parse(JSON.stringify({ ...told, untilMs: endMs - dayMs })));
  };

  test('is compared with, in words', () => {
    const last = yesterday([calm('VPS-1'), stopped('VPS-2'), full('VPS-3', 80), calm('VPS-4')]);
    const live = { state: 'running', uptimeS: 3_600, cpuPercent: 12, unrecognized: [], record: {} };
    const now = [busy('VPS-1'), calm('VPS-2'), full('VPS-3', 91), report('VPS-4', { live }), calm('VPS-5')];
    expect(summarize(now, { last }).facts).toContainEqual({
      label: 'Since last time',
      value: 'VPS-1 CPU 12 → 38%, VPS-3 disk 80 → 91%, VPS-2 was stopped and 2 more',
    });
    expect(summarize([now[0] ?? calm('VPS-1')], { last: yesterday([busy('VPS-1')]) }).facts).toContainEqual({
      label: 'Since last time',
      value: 'no change',
    });
  });

  test('makes a finding that continues less severe than a new one', () => {
    const last = yesterday([stopped('VPS-1'), calm('VPS-2')]);
    expect(summarize([stopped('VPS-1'), full('VPS-2')], { last }).title).toBe(
      '2 of 2 need a look: VPS-2 disk 91%, VPS-1 still stopped',
    );
  });

  test('shows whether there is anything new', () => {
    const last = yesterday([busy('VPS-1'), calm('VPS-2')]);
    const changed = (...reports: readonly VpsReport[]) => summarize(reports, { last }).hasChanged;
    expect(changed(busy('VPS-1'), calm('VPS-2'))).toBe(false);
    expect(changed(calm('VPS-1'), calm('VPS-2'))).toBe(true);
    expect(changed(busy('VPS-1'), busy('VPS-2'))).toBe(true);
    expect(changed(lost('VPS-1'), calm('VPS-2'))).toBe(false);
    expect(summarize([calm('VPS-1')]).hasChanged).toBe(true);
  });

  test('decides whether a quiet report is posted', () => {
    const quiet = { standsOut: false, hasChanged: false, hasNewlyMissing: false };
    const same = { ...quiet, standsOut: true };
    const blind = { ...quiet, hasNewlyMissing: true };
    expect(shouldPost(quiet, { post: 'always' }, false)).toBe(true);
    expect(shouldPost(quiet, { post: 'standsOut' }, false)).toBe(false);
    expect(shouldPost(quiet, { post: 'standsOut' }, true)).toBe(true);
    expect(shouldPost(same, { post: 'standsOut' }, false)).toBe(true);
    expect(shouldPost(same, { post: 'changed' }, false)).toBe(false);
    expect(shouldPost(blind, { post: 'standsOut' }, false)).toBe(true);
  });
});

describe('figures that the service does not show', () => {
  const withoutDisk = (name: string) =>
    report(name, {
      histories: [dayOf('cpu', repeated(12, 24)), otherFigures.traffic],
      live: { memoryPercent: 40, state: 'running', unrecognized: [], record: {} },
    });

  test("are named, so that a report without findings isn't taken for complete", () => {
    const { title, notes } = summarize([withoutDisk('VPS-1'), withoutDisk('VPS-2')]);
    expect(title).toBe('Nothing stands out among 2 VPS; disk not shown');
    expect(notes).toContain(
      'The service shows no disk for VPS-1 and VPS-2 that Rackhand understands, so this was not checked.',
    );
    expect(summarize([withoutDisk('VPS-1'), calm('VPS-2')]).title).toBe(
      'Nothing stands out among 2 VPS; disk of 1 not shown',
    );
  });

  test('are not missing if the VPS is off, or its threshold is', () => {
    expect(summarize([stopped('VPS-1')]).notes.join()).not.toContain('not checked');
    const settings = { diskPercent: 0, diskFullDays: 0 };
    const readings = { histories: [dayOf('cpu', repeated(12, 24)), otherFigures.traffic] };
    const live = { memoryPercent: 40, state: 'running', unrecognized: [], record: {} };
    const one = buildVpsReport({ name: 'VPS-1', ...readings, live }, scope(settings));
    expect(summarize([one]).title).toBe('Nothing stands out about VPS-1');
  });

  test('are named once, even in a quiet report', () => {
    const first = summarize([withoutDisk('VPS-1')], { last: summarize([calm('VPS-1')]).baseline });
    expect(first.hasNewlyMissing).toBe(true);
    const stored = reportBaseline.parse(JSON.parse(JSON.stringify(first.baseline)));
    expect(summarize([withoutDisk('VPS-1')], { last: stored }).hasNewlyMissing).toBe(false);
  });
});

describe('the note about the figures', () => {
  const live = { cpuPercent: 12, memoryPercent: 40, diskPercent: 40, unrecognized: [], record: {} };
  const noteOf = (...reports: readonly VpsReport[]) => summarize(reports).notes.at(-1);

  test('mentions averages only if there are some', () => {
    expect(noteOf(report('VPS-1', { live }))).toMatch(/^CPU and memory are current figures/);
    expect(noteOf(withCpu('VPS-1', repeated(12, 24)), report('VPS-2', { live }))).toMatch(
      /^CPU and memory are averages over the period, except for VPS-1 and VPS-2: the service has no history there/,
    );
    const histories = [dayOf('cpu', repeated(12, 24)), dayOf('memory', repeated(40, 24))];
    expect(noteOf(report('VPS-1', { histories }))).toMatch(/^CPU and memory are averages over the period\./);
  });
});
