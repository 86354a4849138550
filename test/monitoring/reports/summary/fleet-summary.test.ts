import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { labelSummary } from '../../../../src/monitoring/reports/delivery/build-report.ts';
import { type ReportBaseline, reportBaseline } from '../../../../src/monitoring/reports/summary/baseline.ts';
import {
  type FleetInput,
  type FleetSummary,
  shouldPost,
  summarizeFleet,
} from '../../../../src/monitoring/reports/summary/fleet/fleet-summary.ts';
import {
  buildVpsReport,
  type VpsReadings,
  type VpsReport,
} from '../../../../src/monitoring/reports/summary/vps-report.ts';
import { dayMs, dayOf, endMs, period, repeated, scope } from '../../shared/histories.ts';

function report(name: string, readings: Partial<VpsReadings> = {}): VpsReport {
  return buildVpsReport({ name, state: 'running', histories: [], ...readings }, scope());
}

const otherFigures = {
  live: { memoryPercent: 40, diskPercent: 40, state: 'running', unrecognized: [], record: {} },
  traffic: dayOf('networkIn', repeated(1_000, 24)),
};
const withCpu = (name: string, cpu: Parameters<typeof dayOf>[1]) =>
  report(name, { histories: [dayOf('cpu', cpu), otherFigures.traffic], live: otherFigures.live });
const calm = (name: string) => withCpu(name, repeated(12, 24));
const busy = (name: string) => withCpu(name, [...repeated(20, 18), ...repeated(93, 6)]);
const full = (name: string, diskPercent = 91) =>
  report(name, { live: { diskPercent, state: 'running', unrecognized: [], record: {} } });
const lost = (name: string, why = 'The service did not answer in time') =>
  report(name, { state: undefined, readFailures: [{ what: 'history', reason: why }] });
const stopped = (name: string) => report(name, { state: 'stopped' });

const names = (count: number) => Array.from({ length: count }, (_, index) => `VPS-${10_001 + index}`);

function summarize(reports: readonly VpsReport[], more: Partial<FleetInput> = {}): FleetSummary {
  return summarizeFleet({ name: 'Morning', reports, period, timeZone: 'Europe/Berlin', ...more });
}

describe('the headline', () => {
  test('names the findings', () => {
    const others = names(10).map(calm);
    expect(summarize([full('VPS-20009'), ...others, busy('VPS-20004')]).title).toBe(
      '2 of 12 need a look: VPS-20004 CPU 93% for 6 h, VPS-20009 disk 91%',
    );
    expect(summarize([busy('VPS-1'), ...others]).title).toBe('1 of 11 needs a look: VPS-1 CPU 93% for 6 h');
  });

  test('says that nothing stands out, and what could not be read', () => {
    const others = names(3).map(calm);
    expect(summarize(others).title).toBe('Nothing stands out among 3 VPS');
    expect(summarize([...others, lost('VPS-9')]).title).toBe(
      'Nothing stands out among 3 VPS; VPS-9 could not be read',
    );
    expect(summarize(names(3).map((name) => lost(name))).title).toBe('None of 3 VPS could be read');
    expect(summarize([calm('VPS-1')]).title).toBe('Nothing stands out about VPS-1');
    expect(summarize([report('VPS-1'), calm('VPS-2')]).title).toBe(
      'Nothing stands out among 2 VPS; VPS-1 could not be read in full',
    );
    expect(summarize([]).title).toBe('No VPS to report on');
  });

  test('has a limited length, and groups VPS with the same finding', () => {
    const many = [...names(40).map(stopped), ...names(40).map((name, at) => full(name, 90.6 + at / 5))];
    const { title } = summarize(many);
    expect(title).toMatch(/^80 of 80 need a look: 40 stopped \(VPS-10001, VPS-10002 and 38 more\), .* more$/);
    expect(title.length).toBeLessThanOrEqual(200);
    expect(summarize(names(3).map(busy)).title).toBe(
      '3 of 3 need a look: 3 with CPU 93% for 6 h (VPS-10001, VPS-10002 and 1 more)',
    );
  });
});

describe('a fleet summary', () => {
  test('lists the worst first, then unread VPS, then the busiest', () => {
    const { table } = summarize([
      calm('VPS-1'),
      lost('VPS-2'),
      full('VPS-3'),
      busy('VPS-4'),
      stopped('VPS-5'),
    ]);
    expect(table.rows.map(([name]) => name)).toEqual(['⚠️ VPS-5', '⚠️ VPS-4', '⚠️ VPS-3', '? VPS-2', 'VPS-1']);
    expect(table.rows[1]).toEqual([
      ...[
        '⚠️ VPS-4',
        { kind: 'percent', percent: expect.closeTo(38.25) },
        '▂▂▂▂▂▂▂▂▂███',
        { kind: 'percent', percent: 40 },
        { kind: 'percent', percent: 40 },
        { kind: 'state', state: 'running' },
        '82.4 MiB',
        '–',
      ],
    ]);
  });

  test('attaches the complete table if it has more rows than fit', () => {
    expect(summarize(names(20).map(calm)).csv).toBeUndefined();
    const { table, csv, notes } = summarize([...names(500).map(calm), busy('VPS-1')], {
      name: 'Fleet / <EU>',
    });
    expect(table.rows.length).toBeLessThan(100);
    expect(notes).toContain(
      `The table shows the first ${table.rows.length} of 501 VPS; the attached file lists them all.`,
    );
    expect(csv?.fileName).toBe('Fleet-EU.csv');
    const lines = csv?.text.split('\r\n') ?? [];
    expect(lines).toHaveLength(503);
    expect(lines[1]).toMatch(/^VPS-1,running,CPU 93% for 6 h,38\.25,93,/);
  });

  test("keeps the table within Slack's limits, whatever the states are called", () => {
    const { table, csv } = summarize(names(99).map((name) => report(name, { state: 'x'.repeat(300) })));
    const chars = table.rows
      .flat()
      .map((value) => (typeof value === 'object' && 'state' in value ? value.state.length : 10));
    expect(chars.reduce((a, b) => a + b, 0)).toBeLessThan(10_000);
    expect(csv?.text.split('\r\n')).toHaveLength(101);
  });

  test('never turns foreign text into a formula or a column of the file', () => {
    const hostile = report('VPS-1', { state: '=HYPERLINK("http://x","y"),z' });
    const { csv } = summarize([hostile, ...names(200).map(calm)]);
    expect(csv?.text).toContain(`VPS-1,"'=HYPERLINK(""http://x"",""y""),z",`);
  });

  test('names the VPS of which little of the period is known', () => {
    const young = report('VPS-7', { histories: [dayOf('cpu', [...repeated(null, 20), 30, 30, 30, 30])] });
    const note =
      'Data for VPS-7 covers less than half of the period. Averages and traffic cover only that part.';
    expect(summarize([calm('VPS-1'), young]).notes).toContain(note);
    expect(summarize([calm('VPS-1')]).notes.join(' ')).not.toContain('less than half');
  });

  test('names what could not be read, and why, in small print of limited length', () => {
    expect(summarize([lost('VPS-1'), lost('VPS-2'), calm('VPS-3')]).notes).toContain(
      'The history of VPS-1, VPS-2 could not be read: The service did not answer in time.',
    );
    const { notes, csv } = summarize(names(400).map((name) => lost(name, 'x'.repeat(2_000))));
    expect(notes.every((note) => note.length <= 500)).toBe(true);
    const told = names(400).filter((name) => notes.some((note) => note.includes(name)));
    expect(notes).toContain(`${400 - told.length} more VPS couldn't be read; see the attached file.`);
    expect(names(400).every((name) => csv?.text.includes(name))).toBe(true);
  });

  test('has details and buttons for the findings', () => {
    const { details } = summarize([busy('VPS-1'), calm('VPS-2')]);
    expect(details).toEqual([
      {
        vps: 'VPS-1',
        title: 'VPS-1: CPU 93% for 6 h',
        lines: ['CPU at 90% or more since 00:00: 93% on average, peak 93%.'],
        next: [
          { label: 'Graph', operation: 'graph', input: { vps: 'VPS-1' } },
          { label: 'Show', operation: 'show', input: { vps: 'VPS-1' } },
          { label: 'Mute for a Day', operation: 'mute', input: { vps: 'VPS-1' } },
        ],
        action: { label: 'Graph', operation: 'graph', input: { vps: 'VPS-1' } },
      },
    ]);
    // A stopped VPS has a flat line.
    const both = summarize([stopped('VPS-1'), busy('VPS-2')]).details;
    expect(both.map(({ action }) => action.label)).toEqual(['Show', 'Graph']);
  });

  test('draws the busiest on top, those with findings in bold, and none without CPU data', () => {
    const { chart } = summarize([stopped('VPS-1'), calm('VPS-2'), busy('VPS-3')]);
    expect(chart?.spec.rows.map(({ label, isHighlighted }) => [label, isHighlighted])).toEqual([
      ['VPS-3', true],
      ['VPS-2', false],
      ['VPS-1', true],
    ]);
    expect(chart?.takeaway).toContain('Highest: VPS-3 93% on 21 Nov 00:00, VPS-2 12%');
    expect(summarize([stopped('VPS-1')]).chart).toBeUndefined();
    expect(summarize(names(60).map(calm)).chart?.spec).toEqual(expect.objectContaining({ total: 60 }));
  });
});

test('a summary never contains NaN, whatever was read', () => {
  const percent = fc.oneof(fc.double(), fc.double({ min: 0, max: 100 }));
  const live = fc.record(
    {
      state: fc.string({ maxLength: 20 }),
      cpuPercent: percent,
      memoryPercent: percent,
      diskPercent: percent,
      uptimeS: fc.double({ min: 0 }),
      unrecognized: fc.constant([]),
      record: fc.constant({}),
    },
    { requiredKeys: ['unrecognized', 'record'] },
  );
  const hours = fc.array(fc.option(percent), { maxLength: 24 });
  fc.assert(
    fc.property(fc.array(fc.tuple(live, hours), { maxLength: 5 }), (all) => {
      const reports = all.map(([now, values], index) =>
        report(`VPS-${index}`, { live: now, histories: [dayOf('cpu', values), dayOf('networkIn', values)] }),
      );
      const { title, table, csv, notes, chart, baseline: told } = summarize(reports);
      const words = [title, notes, table, csv?.text, chart?.takeaway].map((one) => JSON.stringify(one) ?? '');
      const foreign = all.map(([now]) => now.state ?? '').join(' ');
      if (!/NaN|Infinity|undefined|null/.test(foreign)) {
        expect(words.join(' ')).not.toMatch(/NaN|Infinity|undefined|null/);
      }
      expect(reportBaseline.safeParse(JSON.parse(JSON.stringify(told))).success).toBe(true);
    }),
  );
});

test('a chart shows a VPS by its unique name, and otherwise by its VPS name', () => {
  const labels = new Map([
    ['VPS-10001', 'web-01 (VPS-10001)'],
    ['VPS-10002', 'twin (VPS-10002)'],
    ['VPS-10003', 'twin (VPS-10003)'],
  ]);
  const { chart } = labelSummary(summarize(names(4).map(calm)), labels);
  const rows = chart?.spec.kind === 'heatmap' ? chart.spec.rows : [];
  expect(rows.map(({ label }) => label).toSorted()).toEqual([
    'VPS-10002',
    'VPS-10003',
    'VPS-10004',
    'web-01',
  ]);
});

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
      "The service's data for VPS-1 and VPS-2 has no disk that Rackhand understands, so this was not checked.",
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
      /^CPU and memory are averages over the period, but some figures for VPS-1 and VPS-2 are current ones/,
    );
    const histories = [dayOf('cpu', repeated(12, 24)), dayOf('memory', repeated(40, 24))];
    expect(noteOf(report('VPS-1', { histories }))).toMatch(/^CPU and memory are averages over the period\./);
  });
});
